import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { readSurveyAnswers } from '../../server/contracts/surveyAnswers'
import {
  readOverview,
  readSharePassword,
  removeSharePassword,
  type SettingsRoutes,
  setSharePassword,
} from '../../server/contracts/web'
import { callRoute } from './client'

export interface ChatbotPlace {
  pgid: string
  cgid: string
}

/** All that a chatbot is on the web: a change of one part shows in the overview of all. */
const keyOf = ({ pgid, cgid }: ChatbotPlace) => ['web', pgid, cgid] as const

/** One screen's settings, and what saves them. */
export function useWebSettings<Settings>({ read, save }: SettingsRoutes<Settings>, place: ChatbotPlace) {
  const queries = useQueryClient()
  const options = queryOptions({
    queryKey: [...keyOf(place), read.path],
    queryFn: ({ signal }) => callRoute(read, { params: place, signal }).then(({ settings }) => settings),
  })
  const query = useQuery(options)
  const change = useMutation({
    mutationFn: (settings: Settings) =>
      callRoute(save, { params: place, body: { settings } }).then((answer) => answer.settings),
    onSuccess: (settings) => {
      queries.setQueryData(options.queryKey, () => settings)
      void queries.invalidateQueries({ queryKey: keyOf(place) })
    },
  })
  return { query, change }
}

export const overviewQuery = (place: ChatbotPlace) =>
  queryOptions({
    queryKey: [...keyOf(place), 'overview'],
    queryFn: ({ signal }) => callRoute(readOverview, { params: place, signal }).then(({ overview }) => overview),
  })

export const sharePasswordQuery = (place: ChatbotPlace) =>
  queryOptions({
    queryKey: [...keyOf(place), 'password'],
    queryFn: ({ signal }) => callRoute(readSharePassword, { params: place, signal }),
  })

/** Sets the shared page's password, or takes it away. */
export function useSharePassword(place: ChatbotPlace) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (password: string | null) =>
      password === null
        ? callRoute(removeSharePassword, { params: place })
        : callRoute(setSharePassword, { params: place, body: { password } }),
    onSuccess: (state) => {
      queries.setQueryData(sharePasswordQuery(place).queryKey, state)
      void queries.invalidateQueries({ queryKey: overviewQuery(place).queryKey })
    },
  })
}

export const surveyAnswersQuery = (place: ChatbotPlace) =>
  queryOptions({
    queryKey: [...keyOf(place), 'survey-answers'],
    queryFn: ({ signal }) => callRoute(readSurveyAnswers, { params: place, signal }),
  })
