/** Joins what an entry point imports into `PLACE.cjs`, with `PLACE.js` beside it that runs it: from these files. */
export declare const joinProgram: (entryPoint: string, place: string) => Promise<ReadonlyArray<string>>
