/** A call of a tool: its name and its arguments. */
export type ToolCall = readonly [tool: string, input: Readonly<Record<string, unknown>>];

/** Calls of every tool of `server-everything` that Cairn imports, with each kind of content, and errors. */
export const EVERYTHING: readonly ToolCall[] = [
  ["echo", { message: "Grüße, 世界" }],
  ["get-annotated-message", { messageType: "error", includeImage: true }],
  ["get-env", {}],
  ["get-resource-links", { count: 4 }],
  ["get-resource-reference", { resourceType: "Text", resourceId: 1 }],
  ["get-resource-reference", { resourceType: "Blob", resourceId: 2 }],
  ["get-resource-reference", { resourceType: "Text", resourceId: 1.5 }],
  ["get-structured-content", { location: "Chicago" }],
  ["get-sum", { a: 0.1, b: 0.2 }],
  ["get-tiny-image", {}],
  ["gzip-file-as-resource", { name: "a.gz", data: "data:text/plain,hello", outputType: "resource" }],
  ["gzip-file-as-resource", { name: "a.gz", data: "data:text/plain,hello" }],
  ["gzip-file-as-resource", { data: "ftp://files.example/a" }],
  ["toggle-simulated-logging", {}],
  ["toggle-subscriber-updates", {}],
  ["trigger-long-running-operation", { duration: 0.2, steps: 4 }],
];

/** Calls of every tool of `server-filesystem`, in this order, which changes files in the folder `own`. */
export function toFilesCalls(own: string): readonly ToolCall[] {
  const docs = "/mnt/docs";
  const folder = `${docs}/${own}`;
  return [
    ["list_allowed_directories", {}],
    ["create_directory", { path: folder }],
    ["write_file", { path: `${folder}/a.txt`, content: "one\ntwo\n" }],
    ["edit_file", { path: `${folder}/a.txt`, edits: [{ oldText: "two", newText: "zwei" }] }],
    ["edit_file", { path: `${folder}/a.txt`, edits: [{ oldText: "none", newText: "such" }] }],
    ["read_file", { path: `${folder}/a.txt` }],
    ["move_file", { source: `${folder}/a.txt`, destination: `${folder}/b.txt` }],
    ["read_text_file", { path: `${folder}/b.txt`, head: 1 }],
    ["read_text_file", { path: "/etc/passwd" }],
    ["read_text_file", { path: `${folder}/a.txt` }],
    ["read_media_file", { path: `${docs}/pixel.png` }],
    ["read_media_file", { path: `${docs}/beep.wav` }],
    ["read_media_file", { path: `${docs}/data.bin` }],
    ["read_multiple_files", { paths: [`${docs}/refunds.txt`, `${docs}/none.txt`] }],
    ["list_directory", { path: folder }],
    ["list_directory_with_sizes", { path: docs, sortBy: "size" }],
    ["directory_tree", { path: folder }],
    ["search_files", { path: folder, pattern: "*.txt" }],
    ["get_file_info", { path: `${docs}/refunds.txt` }],
  ];
}
