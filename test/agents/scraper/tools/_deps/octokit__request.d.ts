// Written by `cairn deps`.
export declare const request: any;
