import { z } from 'zod'
import { INPUT, OPTIONAL } from './surface.ts'

type Json = z.core.JSONSchema.JSONSchema

/**
 * Returns the fields of a file format, as `format NAME.FIELD`, each with its type. `[]` is an element of a list, `{}` a member
 * of any name, and a variant is named by the value that distinguishes it.
 *
 * @param io `input`: others write such files, and Plumbline reads them; `output`: the reverse.
 */
export function fieldsOf(name: string, schema: z.ZodType, io: 'input' | 'output'): Record<string, string> {
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const fields: Record<string, string> = {}
  const prefix = io === 'input' ? INPUT : ''
  /** The first field of each type that several fields share; the type is listed there. */
  const places: Record<string, string> = {}
  visit(root, `format ${name}`, false)
  return fields

  function visit(node: Json, path: string, optional: boolean): void {
    const { $ref } = node
    if ($ref !== undefined && $ref in places) {
      fields[path] = `${prefix}as ${places[$ref]}${optional ? OPTIONAL : ''}`
      return
    }
    if ($ref !== undefined) {
      places[$ref] = path
      visit(root.$defs?.[$ref.split('/').at(-1) ?? ''] as Json, path, optional)
      return
    }
    fields[path] = `${prefix}${typeOf(node)}${optional ? OPTIONAL : ''}`
    for (const value of node.enum ?? []) fields[`${path} = ${String(value)}`] = 'a value'
    for (const [member, each] of Object.entries(node.properties ?? {}))
      visit(each as Json, `${path}.${member}`, !(node.required ?? []).includes(member))
    const { items, additionalProperties } = node
    if (typeof items === 'object' && !Array.isArray(items)) visit(items as Json, `${path}[]`, false)
    if (typeof additionalProperties === 'object') visit(additionalProperties as Json, `${path}{}`, false)
    const variants = (node.anyOf ?? node.oneOf ?? []) as readonly Json[]
    for (const [index, each] of variants.filter(({ type }) => type !== 'null').entries())
      visit(each, `${path}${variants.length > 1 ? nameOf(each, index) : ''}`, false)
  }
}

function typeOf(node: Json): string {
  if (node.const !== undefined) return JSON.stringify(node.const)
  const variants = node.anyOf ?? node.oneOf
  if (variants === undefined) return node.enum === undefined ? String(node.type ?? 'any') : 'one of'
  return (variants as readonly Json[]).some(({ type }) => type === 'null') ? 'or null' : 'either'
}

/** Returns the name of a variant: the value of its first constant member. */
function nameOf(node: Json, index: number): string {
  const constant = Object.values((node.properties ?? {}) as Record<string, Json>).find(
    (each) => each.const !== undefined,
  )
  return `<${constant === undefined ? `${node.type ?? 'any'} ${index + 1}` : String(constant.const)}>`
}
