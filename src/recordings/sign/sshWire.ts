const LENGTH_BYTES = 4

/** Reads the fields of an SSH structure one after another (RFC 4251 §5). */
export class SshReader {
  readonly #bytes: Buffer
  #at = 0
  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** Returns the next number of 32 bits. @throws {RangeError} the bytes end before. */
  uint32(): number {
    return this.take(LENGTH_BYTES).readUInt32BE()
  }

  /** Returns the next string, which may hold any bytes. @throws {RangeError} the bytes end before. */
  string(): Buffer {
    return this.take(this.uint32())
  }

  /** Returns the next bytes, as they are. @throws {RangeError} there are fewer. */
  take(count: number): Buffer {
    const end = this.#at + count
    if (end > this.#bytes.length) throw new RangeError('the structure ends within a field')
    const taken = this.#bytes.subarray(this.#at, end)
    this.#at = end
    return taken
  }

  /** Returns what is left. */
  rest(): Buffer {
    return this.take(this.#bytes.length - this.#at)
  }
}

/** Returns a string as SSH writes it: its length, then its bytes. */
export function sshString(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value as string)
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}
