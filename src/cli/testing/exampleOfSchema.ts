import type { z } from 'zod'

/** Texts of every kind in our files. The first one that a schema accepts is its example. */
const TEXTS = [
  'x',
  'ETH',
  'tx.data',
  'x{keyId}',
  '/x',
  'https://a.example',
  '2099-01-01',
  '2099-01-01T00:00:00Z',
  '0123456789abcdef',
  `0x${'11'.repeat(20)}`,
  `0x${'11'.repeat(32)}`,
]
const NUMBERS = [1, 2, 0.5, 18]

/** The parts of zod's definitions that examples need. */
interface Def {
  readonly type: string
  readonly shape?: Readonly<Record<string, z.ZodType>>
  readonly element?: z.ZodType
  readonly innerType?: z.ZodType
  readonly in?: z.ZodType
  readonly keyType?: z.ZodType
  readonly valueType?: z.ZodType
  readonly options?: readonly z.ZodType[]
  readonly items?: readonly z.ZodType[]
  readonly values?: readonly unknown[]
  readonly entries?: Readonly<Record<string, unknown>>
}

/**
 * Returns a JSON value that a schema describes, with every member and one entry in each list. It may break rules between members.
 */
export function exampleOf(schema: z.ZodType): unknown {
  const { def } = schema as unknown as { readonly def: Def }
  const inner = def.innerType ?? def.in ?? def.options?.[0]
  if (inner !== undefined) return exampleOf(inner)
  switch (def.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(def.shape ?? {}).map(([name, member]) => [name, exampleOf(member)]),
      )
    case 'array':
      return [exampleOf(def.element as z.ZodType)]
    case 'tuple':
      return (def.items ?? []).map(exampleOf)
    case 'record':
      return {
        [String(exampleOf(def.keyType as z.ZodType))]: exampleOf(def.valueType as z.ZodType),
      }
    case 'literal':
      return def.values?.[0]
    case 'enum':
      return Object.values(def.entries ?? {})[0]
    default:
      return [...TEXTS, ...NUMBERS, true, null].find((each) => schema.safeParse(each).success)
  }
}
