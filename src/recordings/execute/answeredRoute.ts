import { parseJson } from '../../spec/json.ts'
import { alternativeSchema, type BuildResponse, buildResponseSchema } from '../../spec/wire.ts'
import type { DraftOf } from '../format/drafts.ts'

/** What a response says that venues pay, as far as it is well formed. */
export function answeredRoute({
  answer,
}: Pick<DraftOf<'http'>, 'answer'>): readonly { readonly engine: string; readonly amountOut: number }[] {
  const body = parseJson(answer?.body ?? '') as
    | { readonly route?: { readonly alternatives?: unknown } | null }
    | null
    | undefined
  const alternatives = body?.route?.alternatives
  if (!Array.isArray(alternatives)) return []
  return alternatives.flatMap((entry) => {
    const parsed = alternativeSchema.safeParse(entry)
    return parsed.success ? [parsed.data] : []
  })
}

/** Returns a build as it was answered; null: it is malformed. */
export function answeredBuild({ answer }: Pick<DraftOf<'http'>, 'answer'>): BuildResponse | null {
  const parsed = buildResponseSchema.safeParse(parseJson(answer?.body ?? ''))
  return parsed.success ? parsed.data : null
}
