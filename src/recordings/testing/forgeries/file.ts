import { sha256 } from '../../format/canonical.ts'
import { parseRecording, renderRecording } from '../../format/file.ts'
import { type Anything, forged } from '../forge.ts'
import { altered, type Forgery, nth, PENDING, REORG } from './forgery.ts'

/** Changes the parsed file and keeps the old seal. */
const unsealed = (change: (recording: Anything) => void) => (text: string) => {
  const recording: Anything = structuredClone(parseRecording(text))
  change(recording)
  return renderRecording(recording)
}

/** Forgeries of the file that keep the old seal. */
const FILE = altered('the file, not sealed again', REORG, [
  ['a blank more', ['form', 'line'], (text) => text.replace('"kind":"http"', '"kind": "http"')],
  ['a member twice', ['form', 'line'], (text) => text.replace('"n":3,', '"n":3,"n":3,')],
  ['a member that no recording has', ['form', 'n'], (text) => text.replace('"n":3,', '"n":3,"more":1,')],
  ['another schema', ['form', 'schema'], (text) => text.replace(/recording\/\d+/, 'recording/99')],
  ['cut off within an entry', ['form', 'cut off within its entries'], (text) => text.slice(0, 20_000)],
  ['cut off after its entries', ['form', 'cut off after its entries'], (text) => text.slice(0, -200)],
  [
    'no room for gas in a block',
    ['form', 'gasLimit'],
    (text) => text.replace('"gasLimit":1000000000', '"gasLimit":0'),
  ],
  [
    'a block before all times',
    ['form', 'timestampS'],
    (text) => text.replace('"timestampS":1700000003', '"timestampS":-1'),
  ],
  ['one digit of a header', ['seal', 'header.gasUsed'], (text) => text.replace('"gasUsed":0', '"gasUsed":1')],
  ['an answer', ['seal', 'answer.body'], unsealed((r) => (nth(r, 'http').answer.body += ' '))],
  [
    'two entries changed places',
    ['seal', 'does not fit the seal'],
    unsealed(({ entries }) => entries.splice(5, 2, entries[6], entries[5])),
  ],
  [
    'an entry twice',
    ['seal', 'does not fit the seal'],
    unsealed(({ entries }) => entries.splice(6, 0, entries[6])),
  ],
  ['an entry less', ['seal', 'does not fit the seal'], unsealed(({ entries }) => entries.splice(6, 1))],
  ['the root', ['seal', 'trailer'], unsealed(({ trailer }) => (trailer.root = 'f'.repeat(64)))],
  [
    'the last entry taken off, with a trailer that fits',
    ['seal', '0 entries of kind provenance'],
    unsealed((r) => {
      r.entries.pop()
      r.trailer = { entries: r.entries.length, root: r.entries.at(-1).hash }
    }),
  ],
])

/** Forgeries of the structure of the file, sealed again. */
const LAYOUT = altered('the layout', REORG, [
  [
    'a blob with another content',
    ['seal', 'is not what its digest says'],
    (text) => forged(text, ({ blobs }) => (blobs[Object.keys(blobs)[0] as string].more = 1)),
  ],
  [
    'a blob less',
    ['seal', 'is not in the file'],
    (text) => forged(text, ({ blobs }) => delete blobs[Object.keys(blobs)[0] as string]),
  ],
  [
    'a blob that nothing needs',
    ['seal', 'no entry refers to it'],
    (text) => forged(text, ({ blobs }) => (blobs[sha256('1')] = 1)),
  ],
  [
    'the entry with the outcome first',
    ['seal', 'in the wrong place'],
    (text) =>
      forged(text, (r) => {
        const outcome = nth(r, 'outcome')
        r.entries.splice(r.entries.indexOf(outcome), 1)
        r.entries.splice(3, 0, outcome)
      }),
  ],
  [
    'two requests changed places',
    ['seal', 'request'],
    (text) => forged(text, (r) => ([nth(r, 'http', 1).id, nth(r, 'http', 2).id] = [2, 1])),
  ],
  [
    'a round trip of a request that is not made yet',
    ['seal', 'no request'],
    (text) => forged(text, (r) => (nth(r, 'rpc').http = 3)),
  ],
  [
    'the key of a partner put in',
    ['seal', 'holds a key'],
    (text) => forged(text, (r) => (nth(r, 'http').headers.authorization = 'Bearer secret')),
  ],
])

const DEMANDED = 'a file of which more is demanded'
/** Passes verify without a demanded root or signature. */
const otherMaker = (text: string) => forged(text, (r) => (nth(r, 'provenance').plumbline = '9.9.9'))

export const FILE_FORGERIES: readonly Forgery[] = [
  ...FILE,
  ...LAYOUT,
  ...altered(DEMANDED, REORG, [
    [
      'anything, where the root of the genuine file is demanded',
      ['root', 'altered and sealed again'],
      otherMaker,
    ],
  ]),
  ...altered(DEMANDED, PENDING, [
    ['anything, next to the signatures of the genuine file', ['signature', 'another recording'], otherMaker],
  ]),
]
