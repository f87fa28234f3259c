/** Question of the planners about an objective. */
export interface TaskQuestion {
  readonly text: string;
  /** Things that the objective may mean, to choose from. */
  readonly readings?: readonly { readonly id: string; readonly title: string }[];
}

export interface TaskAnswer {
  readonly text: string;
  /** Title of the reading that it chooses; absent: it is in words. */
  readonly reading?: string;
  readonly answered_at: string;
}
