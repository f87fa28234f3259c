// Written by `cairn types` from the manifests; a change here is lost.

export type CloseInput = {
  /** Owner of the repository. */
  owner: string;
  /** Name of the repository. */
  repo: string;
  /** Number of the issue. */
  number: number;
  reason: "completed" | "not_planned";
};

export type CloseOutput = {
  issue: {
    number: number;
    title: string;
    body: string;
    state: string;
    author: string;
    labels: readonly string[];
    /** How many comments it has. */
    comments: number;
    url: string;
  };
};

export type CommentInput = {
  /** Owner of the repository. */
  owner: string;
  /** Name of the repository. */
  repo: string;
  /** Number of the issue. */
  number: number;
  body: string;
  /** Chosen by the caller. A call with a key of an earlier one writes nothing and returns what that one wrote. */
  key?: string;
};

export type CommentOutput = {
  id: number;
  url: string;
  /** False where an earlier call with this key has written it. */
  created: boolean;
};

export type CreateInput = {
  /** Owner of the repository. */
  owner: string;
  /** Name of the repository. */
  repo: string;
  title: string;
  body: string;
  labels: readonly string[];
  /** Chosen by the caller. A call with a key of an earlier one writes nothing and returns what that one wrote. */
  key?: string;
};

export type CreateOutput = {
  issue: {
    number: number;
    title: string;
    body: string;
    state: string;
    author: string;
    labels: readonly string[];
    /** How many comments it has. */
    comments: number;
    url: string;
  };
  /** False where an earlier call with this key has created it. */
  created: boolean;
};

export type LabelInput = {
  /** Owner of the repository. */
  owner: string;
  /** Name of the repository. */
  repo: string;
  /** Number of the issue. */
  number: number;
  labels: readonly string[];
};

export type LabelOutput = {
  /** All labels of the issue. */
  labels: readonly string[];
};

export type ListInput = {
  /** Owner of the repository. */
  owner: string;
  /** Name of the repository. */
  repo: string;
  state: "open" | "closed" | "all";
  /** Only issues that have all of these. */
  labels?: readonly string[];
  /** The `next` of the page before. */
  page: number;
  per_page: number;
};

export type ListOutput = {
  issues: readonly ({
    number: number;
    title: string;
    body: string;
    state: string;
    author: string;
    labels: readonly string[];
    /** How many comments it has. */
    comments: number;
    url: string;
  })[];
  /** Number of the next page. Absent on the last one. */
  next?: number;
};

export type ReadInput = {
  /** Owner of the repository. */
  owner: string;
  /** Name of the repository. */
  repo: string;
  /** Number of the issue. */
  number: number;
  /** The `etag` of an earlier answer. Without a change since, no issue is returned. */
  unless?: string;
};

export type ReadOutput = {
  changed: boolean;
  issue?: {
    number: number;
    title: string;
    body: string;
    state: string;
    author: string;
    labels: readonly string[];
    /** How many comments it has. */
    comments: number;
    url: string;
  };
  etag?: string;
};
