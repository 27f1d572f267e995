import { type Defect, defect } from '../../../src/runner/proof/defect.ts'

/** Services that return to one caller what was made for another. */
export const sharing: readonly Defect[] = [
  defect(
    'confirm-races.memo-for-another-sender',
    'quote.memo.only-identical',
    'the memo of quotes ignores the sender, so one sender gets the quote of another',
    {
      domain: (domain, { clock, policy }) => {
        const kept = new Map<
          string,
          { readonly answer: ReturnType<typeof domain.quoter.quote>; atMs: number }
        >()
        return {
          ...domain,
          quoter: {
            ...domain.quoter,
            quote: (request, caller) => {
              const key = JSON.stringify([caller.keyId, request.from, request.to, request.amount])
              const known = kept.get(key)
              if (known !== undefined && clock.nowMs() - known.atMs < policy.memoMs) return known.answer
              const answer = domain.quoter.quote(request, caller)
              kept.set(key, { answer, atMs: clock.nowMs() })
              return answer
            },
          },
        }
      },
    },
  ),
]
