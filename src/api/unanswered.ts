import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { addEvaluation } from '../../server/contracts/evaluations'
import { addFaq, type Faq, readSource, updateFaq } from '../../server/contracts/sources'
import {
  handleUnanswered,
  listUnanswered,
  type Unanswered,
  type UnansweredGroup,
  type UnansweredKind,
} from '../../server/contracts/unanswered'
import { callRoute } from './client'
import { ApiFailure } from './failure'

/** Questions without an answer or with an uncertain one, alike ones together, each group with its nearest passage. */
export const unansweredQuery = (pgid: string, cgid: string, show: UnansweredKind) =>
  queryOptions({
    queryKey: ['unanswered', pgid, cgid, show],
    queryFn: ({ signal }) => callRoute(listUnanswered, { params: { pgid, cgid }, query: { show }, signal }),
    staleTime: 0,
  })

const wordingsOf = ({ questions }: UnansweredGroup) => questions.map(({ wording }) => wording)

/** What an editor makes of such a group; each takes it off the list. */
export function useUnansweredChanges(pgid: string, cgid: string, show: UnansweredKind) {
  const queries = useQueryClient()
  const { queryKey } = unansweredQuery(pgid, cgid, show)
  const params = { pgid, cgid }
  const handle = (group: UnansweredGroup, handled: boolean) =>
    callRoute(handleUnanswered, { params, body: { wordings: wordingsOf(group), handled } })
  const onSettled = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: ['unanswered', pgid, cgid] }),
      queries.invalidateQueries({ queryKey: ['sources', pgid] }),
    ])

  /** Takes the group off the list without a further change, or puts it back. */
  const putAside = useMutation({
    mutationFn: ({ group, handled }: { group: UnansweredGroup; handled: boolean }) => handle(group, handled),
    onMutate: ({ group, handled }) => {
      if (!handled) return
      queries.setQueryData(
        queryKey,
        (list: Unanswered | undefined) =>
          list && {
            ...list,
            groups: list.groups.filter((each) => each.questions[0]?.wording !== group.questions[0]?.wording),
          },
      )
    },
    onSettled,
  })

  /** Adds the group's questions to an FAQ entry, as other ways to ask it. @throws ApiFailure if it is gone */
  const addPhrasings = useMutation({
    mutationFn: async ({
      group,
      source,
      knowledgeOf,
    }: {
      group: UnansweredGroup
      source: string
      knowledgeOf: string
    }) => {
      const place = { pgid, cgid: knowledgeOf, gid: source }
      const { data } = await callRoute(readSource, { params: place })
      if (data?.kind !== 'faq') throw new ApiFailure('')
      const { question, answer, phrasings } = data
      const known = new Set([question, ...phrasings].map((text) => text.trim().toLowerCase()))
      const more = group.questions.map((each) => each.question).filter((text) => !known.has(text.trim().toLowerCase()))
      await callRoute(updateFaq, { params: place, body: { question, answer, phrasings: [...phrasings, ...more] } })
      await handle(group, true)
    },
    onSettled,
  })

  /** Adds an FAQ entry, and on demand an evaluation question that wants it as the answer's source. */
  const answer = useMutation({
    mutationFn: async (given: { group: UnansweredGroup; entry: Faq; knowledgeOf: string; evaluate: boolean }) => {
      const { source } = await callRoute(addFaq, { params: { pgid, cgid: given.knowledgeOf }, body: given.entry })
      await handle(given.group, true)
      if (given.evaluate) {
        const body = { question: given.entry.question, words: [], source: source.gid, unknown: false }
        await callRoute(addEvaluation, { params, body })
      }
    },
    onSettled,
  })
  return { putAside, addPhrasings, answer }
}
