import type { z } from 'zod'

type Json = z.core.JSONSchema.JSONSchema

/** Returns the fields of a JSON schema that have no description; a constant needs none. */
export function undescribed(schema: Json, path = ''): readonly string[] {
  const { properties = {}, items, additionalProperties, $defs = {}, anyOf = [], oneOf = [] } = schema
  const fields = Object.entries(properties as Record<string, Json>).flatMap(([name, field]) => [
    ...(field.description === undefined && field.const === undefined ? [`${path}/${name}`] : []),
    ...undescribed(field, `${path}/${name}`),
  ])
  const within = [items, additionalProperties, ...Object.values($defs), ...anyOf, ...oneOf].filter(
    (each): each is Json => typeof each === 'object' && !Array.isArray(each),
  )
  return [...new Set([...fields, ...within.flatMap((each) => undescribed(each, path))])]
}
