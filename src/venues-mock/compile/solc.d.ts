/** The two functions of the Solidity compiler that the compile step calls; the package has no types. */
declare module 'solc' {
  const solc: {
    /** Takes and returns standard JSON. */
    compile(
      input: string,
      callbacks?: { import(path: string): { contents: string } | { error: string } },
    ): string
    version(): string
  }
  export default solc
}
