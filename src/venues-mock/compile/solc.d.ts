/** The two calls of the Solidity compiler that the compile step makes; the package carries no types. */
declare module 'solc' {
  const solc: {
    /** Standard JSON in, standard JSON out. */
    compile(
      input: string,
      callbacks?: { import(path: string): { contents: string } | { error: string } },
    ): string
    version(): string
  }
  export default solc
}
