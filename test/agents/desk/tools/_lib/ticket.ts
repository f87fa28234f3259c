export interface Ticket {
  readonly id: string;
  readonly title: string;
  readonly priority: string;
  readonly status: string;
  readonly opened: number;
  readonly due: number;
  readonly owner?: string;
}

export interface Comment {
  readonly text: string;
  readonly at: number;
}
