import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { addFaq, listSources, readSource, type Source, updateFaq } from '../../server/contracts/sources'
import { callRoute } from './client'
import { evaluationsQuery, useEvaluationChanges } from './evaluations'
import { ApiFailure } from './failure'

const LOOK_EVERY = 600

/** The step of storing a right answer: as a source, training it, as an evaluation question. */
export type FixStep = 'saving' | 'learning' | 'keeping'
/** The FAQ entry that has a right answer, and the chatbot whose it is. */
export interface FixSource {
  cgid: string
  gid: string
}

/**
 * Teaches a chatbot a right answer: creates an FAQ entry in its knowledge base, and an evaluation question that
 * requires the entry. Resolves when it is trained. A retry continues where it failed, and creates nothing twice.
 */
export function useFixAnswer(pgid: string, cgid: string) {
  const queries = useQueryClient()
  const { add, change } = useEvaluationChanges(pgid, cgid)
  const [step, setStep] = useState<FixStep>('saving')
  const made = useRef<FixSource | null>(null)
  const gone = useRef(new AbortController())
  useEffect(() => {
    const controller = new AbortController()
    gone.current = controller
    return () => controller.abort()
  }, [])

  const fix = useMutation({
    mutationFn: async ({ question, answer }: { question: string; answer: string }) => {
      const { signal } = gone.current
      setStep('saving')
      const body = { question, answer, phrasings: [] }
      const { linked } = await callRoute(listSources, {
        params: { pgid, cgid },
        query: { offset: 0, limit: 1 },
        signal,
      })
      const place = { pgid, cgid: linked?.gid ?? cgid }
      if (made.current?.cgid === place.cgid) {
        await callRoute(updateFaq, { params: { ...place, gid: made.current.gid }, body, signal })
      } else {
        const { source } = await callRoute(addFaq, { params: place, body, signal })
        made.current = { cgid: place.cgid, gid: source.gid }
      }
      const { gid } = made.current
      setStep('keeping')
      const evaluation = { question, words: [], source: gid, unknown: false }
      const { questions } = await queries.fetchQuery(evaluationsQuery(pgid, cgid))
      const same = questions.find((each) => each.question === question)
      await (same ? change.mutateAsync({ ...evaluation, gid: same.gid }) : add.mutateAsync(evaluation))
      setStep('learning')
      await learned({ ...place, gid }, signal)
      return made.current
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['sources', pgid] }),
  })
  return { fix, step }
}

/** Waits until a source is trained. Throws ApiFailure with the reason if that fails. */
async function learned(params: { pgid: string; cgid: string; gid: string }, signal: AbortSignal): Promise<Source> {
  for (;;) {
    const { source } = await callRoute(readSource, { params, signal })
    if (source.status === 'ready') return source
    if (source.status === 'error' || source.status === 'stopped') throw new ApiFailure(source.reason ?? '')
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY))
    signal.throwIfAborted()
  }
}
