import { membersOf, parseJson } from '../../spec/json.ts'
import { alternativeSchema, type BuildResponse, buildResponseSchema } from '../../spec/wire.ts'
import type { DraftOf } from '../format/drafts.ts'

/** Returns the well-formed alternatives of a response. */
export function answeredRoute({
  answer,
}: Pick<DraftOf<'http'>, 'answer'>): readonly { readonly engine: string; readonly amountOut: number }[] {
  const { alternatives } = membersOf(membersOf(parseJson(answer?.body ?? '')).route)
  if (!Array.isArray(alternatives)) return []
  return alternatives.flatMap((entry) => {
    const parsed = alternativeSchema.safeParse(entry)
    return parsed.success ? [parsed.data] : []
  })
}

/** Returns the body of the response to a build; null: it is malformed. */
export function answeredBuild({ answer }: Pick<DraftOf<'http'>, 'answer'>): BuildResponse | null {
  const parsed = buildResponseSchema.safeParse(parseJson(answer?.body ?? ''))
  return parsed.success ? parsed.data : null
}
