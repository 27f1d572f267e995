import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { flood } from './flood.ts'

/** A hostile response to one request, in bytes, possibly over the connections of other requests. */
export type HostileAnswer = (socket: Socket, request: HostileRequest) => void

export interface HostileRequest {
  /** Number of requests before it. */
  readonly index: number
  readonly target: string
  /** The `Authorization` header; empty without one. */
  readonly authorization: string
  /** The connections that are open, this one included, oldest first. */
  readonly open: readonly Socket[]
}

const MIB = 1024 * 1024
const OK = 'HTTP/1.1 200 OK\r\n'
const JSON_TYPE = 'content-type: application/json\r\n'
const NO_ROUTE =
  '{"route":null,"listedFeeBps":0,"integratorFeeBps":0,"partnerFeeBps":0,"partnerFeeRecipient":null,"totalFeeBps":0}'

const whole = (body: string | Buffer, more = '', start = OK): Buffer =>
  Buffer.concat([
    Buffer.from(`${start}${JSON_TYPE}${more}content-length: ${Buffer.byteLength(body)}\r\n\r\n`, 'latin1'),
    Buffer.from(body),
  ])

/** Sends these bytes, which are made once, and closes. */
const sends = (bytes: () => string | Buffer): HostileAnswer => {
  let made: string | Buffer | undefined
  return (socket) => {
    made ??= bytes()
    socket.end(made)
  }
}

/** Sends these bytes, and then nothing more. */
const stops =
  (bytes: string): HostileAnswer =>
  (socket) => {
    socket.write(bytes)
  }

/** Sends a body as JSON, even if it is not. */
const says = (body: () => string | Buffer) => sends(() => whole(body()))

/** Sends a beginning, and then the same data again and again, as fast as it is read. */
const repeats =
  (first: string, again: string): HostileAnswer =>
  (socket) => {
    socket.write(first)
    flood(socket, again.repeat(Math.ceil((16 * 1024) / again.length)))
  }

const resets = (socket: Socket): void => {
  socket.resetAndDestroy()
}

const nested = (open: string, close: string, levels: number) => open.repeat(levels) + close.repeat(levels)

const alternativeOf = (number: string, text: string) =>
  `{"engine":"venue_a","label":${text},"amountOut":${number},"netAmountOut":${number},"gasCostOut":${number},"deltaBps":${number}}`
const ALTERNATIVE = alternativeOf('1', '"x"')
const repeated = (entry: string, times: number) => Array<string>(times).fill(entry).join()

/** Returns a quote with one route, in which every number, or every text, is replaced. */
function quoteOf({
  number = '1',
  text = '"x"',
  more = '',
  venues = text,
  hops = `{"from":${text},"to":${text},"dex":"venue_a","dexName":${text},"share":${number}}`,
  alternatives = alternativeOf(number, text),
}: {
  number?: string
  text?: string
  more?: string
  venues?: string
  hops?: string
  alternatives?: string
}) {
  return `{"route":{"engine":"venue_a","venues":[${venues}],"hops":[${hops}],"amountIn":${number},"amountOut":${number},"minimumReceived":${number},"midRate":${number},"priceImpactBps":${number},"networkFeeEth":${number},"slippageBps":50,"executable":true,"protocolFeeBps":0,"quoteId":${text},"expiresAt":${number},"alternatives":[${alternatives}]${more}},"listedFeeBps":0,"integratorFeeBps":0,"partnerFeeBps":0,"partnerFeeRecipient":null,"totalFeeBps":0}`
}

/** Returns a few bytes that unpack to many. */
const bomb = () => gzipSync(Buffer.alloc(64 * MIB, 0x20))

/** Responses that must not harm any client. One whose name ends in `forever` lasts until the run ends. */
export const HOSTILE_ANSWERS = {
  'silent-forever': () => {},
  'half-head': sends(() => 'HTTP/1.1 200 OK\r\ncontent-ty'),
  'half-head-forever': stops('HTTP/1.1 200 OK\r\ncontent-ty'),
  'half-body': sends(() => `${OK}content-length: 100\r\n\r\n{}`),
  'half-body-forever': stops(`${OK}content-length: 100\r\n\r\n{}`),
  'drip-forever': (socket) => {
    const drip = setInterval(() => socket.write(' '), 20)
    socket.on('close', () => clearInterval(drip))
    socket.write(`${OK}\r\n`)
  },
  'closes-at-once': (socket) => socket.end(),
  'resets-at-once': resets,
  'resets-in-the-body': (socket) => {
    socket.write(`${OK}content-length: 100\r\n\r\n{}`, () => resets(socket))
  },
  'closes-the-second': (socket, { index }) => {
    if (index % 2 === 0) socket.end(whole(NO_ROUTE))
    else socket.end()
  },
  'length-too-short': sends(() => `${OK}content-length: 5\r\n\r\n${NO_ROUTE}`),
  'length-twice': sends(() => `${OK}content-length: 5\r\ncontent-length: 100\r\n\r\n${NO_ROUTE}`),
  'length-negative': sends(() => `${OK}content-length: -1\r\n\r\n${NO_ROUTE}`),
  'length-enormous': sends(() => `${OK}content-length: 99999999999999999999\r\n\r\n${NO_ROUTE}`),
  'length-and-chunks': sends(() => `${OK}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`),
  'body-endless': repeats(`${OK}${JSON_TYPE}\r\n`, ' '),
  'body-endless-in-chunks': repeats(`${OK}transfer-encoding: chunked\r\n\r\n`, `10\r\n${' '.repeat(16)}\r\n`),
  'chunk-of-rubbish': sends(() => `${OK}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`),
  'chunk-enormous': sends(() => `${OK}transfer-encoding: chunked\r\n\r\nffffffffffffffffff\r\n{}`),
  'chunk-extension-endless': repeats(`${OK}transfer-encoding: chunked\r\n\r\n1;`, 'x'),
  'chunk-trailers-endless': repeats(`${OK}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n`, 'x: y\r\n'),
  'headers-endless': repeats(OK, 'x: y\r\n'),
  'header-endless': repeats(`${OK}x: `, 'y'),
  'headers-many': sends(() =>
    whole(NO_ROUTE, Array.from({ length: 900 }, (_, n) => `x${n}: y\r\n`).join('')),
  ),
  'headers-repeated': sends(() =>
    whole(NO_ROUTE, 'cache-control: no-store\r\ncontent-type: text/html\r\nset-cookie: a\r\n'.repeat(50)),
  ),
  'headers-of-rubbish': sends(() => `${OK}\u0000: \u0001\r\n: x\r\n\r\n`),
  'headers-of-prototypes': sends(() =>
    whole(NO_ROUTE, '__proto__: x\r\nconstructor: y\r\ntoString: z\r\nhasOwnProperty: 1\r\n'),
  ),
  'headers-with-line-feeds': sends(() => `HTTP/1.1 200 OK\ncontent-length: 2\n folded\n\n{}`),
  'interim-forever': repeats('', 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'),
  'interim-continue-forever': repeats('', 'HTTP/1.1 100 Continue\r\n\r\n'),
  'switches-protocols': sends(
    () => 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\nx',
  ),
  'redirects-to-itself': (socket, { target }) =>
    socket.end(whole('{}', `location: ${target}\r\n`, 'HTTP/1.1 302 Found\r\n')),
  'status-of-099': sends(() => whole(NO_ROUTE, '', 'HTTP/1.1 099 ?\r\n')),
  'status-of-999': sends(() => whole(NO_ROUTE, '', 'HTTP/1.1 999 ?\r\n')),
  'status-of-a-word': sends(() => whole(NO_ROUTE, '', 'HTTP/1.1 OK\r\n')),
  'status-204-with-body': sends(() => whole(NO_ROUTE, '', 'HTTP/1.1 204 No Content\r\n')),
  'status-429-forever': sends(() => whole('{}', 'retry-after: 1\r\n', 'HTTP/1.1 429 Too Many Requests\r\n')),
  'status-429-of-a-century-forever': sends(() =>
    whole('{}', 'retry-after: 3155760000\r\n', 'HTTP/1.1 429 Too Many Requests\r\n'),
  ),
  'http-0.9': sends(() => NO_ROUTE),
  'http-9.9': sends(() => whole(NO_ROUTE, '', 'HTTP/9.9 200 OK\r\n')),
  'no-http': sends(() => Buffer.from(Array.from({ length: 4096 }, (_, n) => (n * 167) % 256))),
  'two-answers': sends(() => Buffer.concat([whole(NO_ROUTE), whole('{"route":1}')])),
  'rubbish-after-the-answer': sends(() => Buffer.concat([whole(NO_ROUTE), Buffer.alloc(MIB, 0xff)])),
  'answers-the-oldest-connection': (_, { open }) => open[0]?.end(whole(NO_ROUTE)),
  'gzip-bomb': sends(() => whole(bomb(), 'content-encoding: gzip\r\n')),
  'gzip-bomb-without-a-name': says(bomb),
  'date-of-no-time': sends(() => whole(NO_ROUTE, 'date: Sat, 13 Sep 275760 00:00:01 GMT\r\n')),
  'date-of-another-time': sends(() => whole(NO_ROUTE, 'date: Sat, 01 Jan 9999 00:00:00 GMT\r\n')),
  'body-empty': says(() => ''),
  'body-null': says(() => 'null'),
  'body-list': says(() => '[[],{},null]'),
  'body-word': says(() => '"route"'),
  'body-invalid-utf8': says(() => Buffer.from([0x22, 0xff, 0xfe, 0xc0, 0x80, 0xed, 0xa0, 0x80, 0x22])),
  'body-lone-surrogates': says(() => quoteOf({ text: String.raw`"\ud800\udfff\udc00"` })),
  'body-control-characters': says(() =>
    quoteOf({ text: String.raw`"\u001b[2J\u0007\n::stop-commands::x\u0000"` }),
  ),
  'body-10-mb': says(() => `"${' '.repeat(10 * MIB)}"`),
  'body-1-mb': says(() => `{"error":"${'x'.repeat(MIB - 100)}"}`),
  'body-1-mb-more': says(() => quoteOf({ more: `,"x":"${'x'.repeat(MIB - 2_000)}"` })),
  'body-1-mb-in-members': says(() => `{${Array.from({ length: 60_000 }, (_, n) => `"x${n}":${n}`).join()}}`),
  'body-1-mb-of-commas': says(() => `{"route":[${'1,'.repeat(400_000)}1]}`),
  'alternatives-1-mb-empty': says(() => quoteOf({ alternatives: repeated('{}', 330_000) })),
  'alternatives-1-mb-equal': says(() => quoteOf({ alternatives: repeated(ALTERNATIVE, 8_000) })),
  'hops-1-mb-empty': says(() => quoteOf({ hops: repeated('{}', 330_000) })),
  'venues-1-mb': says(() => quoteOf({ venues: repeated('1', 500_000) })),
  'body-nested-lists': says(() => nested('[', ']', 450_000)),
  'body-nested-objects': says(() => `${'{"a":'.repeat(180_000)}1${'}'.repeat(180_000)}`),
  'body-nested-within-bounds': says(() =>
    quoteOf({ text: nested('[', ']', 100), more: `,"x":${nested('[', ']', 120)}` }),
  ),
  'number-enormous': says(() => quoteOf({ number: '1e999999' })),
  'number-negative-enormous': says(() => quoteOf({ number: '-1e999999' })),
  'number-large': says(() => quoteOf({ number: '1.7976931348623157e308' })),
  'number-tiny': says(() => quoteOf({ number: '5e-324' })),
  'number-negative-zero': says(() => quoteOf({ number: '-0' })),
  'number-of-many-digits': says(() => quoteOf({ number: '9'.repeat(50_000) })),
  'number-null': says(() => quoteOf({ number: 'null', text: 'null' })),
  'number-as-object': says(() =>
    quoteOf({ number: '{"toString":1,"valueOf":2}', text: '{"toString":1,"length":-1}' }),
  ),
  'number-as-list': says(() => quoteOf({ number: '[[1]]', text: '[null]' })),
  'number-as-text': says(() => quoteOf({ number: '"1e5"', text: '""' })),
  'text-of-1-mb': says(() => quoteOf({ text: `"${'0'.repeat(100_000)}"` })),
  'keys-of-prototypes': says(
    () =>
      `{"__proto__":{"route":null},"constructor":{"prototype":{"x":1}},"toString":1,"hasOwnProperty":1,"route":{"__proto__":1,"toString":2,"engine":"__proto__","alternatives":[{"engine":"constructor"}]}}`,
  ),
  'keys-twice': says(() => `{"route":1,"route":null,"route":{}}`),
  'echoes-the-key': (socket, { authorization }) =>
    socket.end(
      whole(
        JSON.stringify({ error: authorization.repeat(20_000).slice(0, MIB - 100) }),
        `x: ${authorization}\r\n`,
      ),
    ),
} as const satisfies Record<string, HostileAnswer>
