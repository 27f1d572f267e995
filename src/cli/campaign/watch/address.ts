import { InvalidArgumentError } from 'commander'

/** Where a page is served. */
export interface Address {
  readonly host: string
  /** 0: a free one. */
  readonly port: number
}

/** The default: a free port, for this machine alone. */
export const OWN_ADDRESS: Address = { host: '127.0.0.1', port: 0 }
const PORT_MAX = 65_535

/** `8080`, `0.0.0.0:8080` or `[::1]:8080`. @throws {InvalidArgumentError} it is none of these */
export function address(text: string): Address {
  const [, bracketed, plain, digits] = /^(?:(?:\[([0-9a-f:.]+)\]|([^\s:]+)):)?(\d{1,5})$/i.exec(text) ?? []
  const port = Number(digits)
  if (digits === undefined || port > PORT_MAX)
    throw new InvalidArgumentError('a port is needed, or HOST:PORT, such as 8080 or 0.0.0.0:8080.')
  return { host: bracketed ?? plain ?? OWN_ADDRESS.host, port }
}
