import { TimestampFormatError } from './errors.ts'

/**
 * What a parser of foreign bytes returns.
 *
 * @param what names the bytes in the error.
 * @throws {TimestampFormatError} it throws, for whatever reason a library has.
 */
export function parsed<Of>(what: string, parse: () => Of): Of {
  try {
    return parse()
  } catch (error) {
    if (error instanceof TimestampFormatError) throw error
    throw new TimestampFormatError(`${what} cannot be parsed`)
  }
}
