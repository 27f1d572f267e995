import { type Defect, defect } from '../defect.ts'

/** Services that give one caller what was made for another. */
export const sharing: readonly Defect[] = [
  defect(
    'confirm-races.memo-for-another-sender',
    'quote.memo.only-identical',
    'the memo does not look at the sender: what was made for one is served to another',
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
