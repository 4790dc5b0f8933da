import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import i18next from 'i18next'
import {
  type AiSettings,
  addConnection,
  type ConnectionInput,
  changeConnection,
  deleteConnection,
  listConnections,
  type Provider,
  readAiSettings,
  updateAiSettings,
} from '../../server/contracts/ai'
import { refreshAccount } from './account'
import { callRoute } from './client'

const settingsOfProject = (pgid: string) => ['ai', pgid, 'settings']

/** A chatbot's AI settings, the available models, and the used credits. */
export const aiSettingsQuery = (pgid: string, cgid: string) =>
  queryOptions({
    queryKey: [...settingsOfProject(pgid), cgid],
    queryFn: ({ signal }) => callRoute(readAiSettings, { params: { pgid, cgid }, signal }),
    staleTime: 0,
    // providers name their models, we name our own: in the interface's language
    select: ({ models, ...rest }) => ({
      ...rest,
      models: models.map((model) => (model.provider === null ? { ...model, name: i18next.t('builtInModel') } : model)),
    }),
  })

/** The providers of a project, and those of the installation. */
export const connectionsQuery = (pgid: string) =>
  queryOptions({
    queryKey: ['ai', pgid, 'connections'],
    queryFn: ({ signal }) => callRoute(listConnections, { params: { pgid }, signal }),
    staleTime: 0,
  })

export function useSaveAiSettings(pgid: string, cgid: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: Partial<AiSettings>) => callRoute(updateAiSettings, { params: { pgid, cgid }, body }),
    onSuccess: async () => {
      await Promise.all([
        queries.invalidateQueries({ queryKey: aiSettingsQuery(pgid, cgid).queryKey }),
        refreshAccount(),
      ])
    },
  })
}

/** Mutations of a project's providers; the available models change with them. */
export function useConnectionChanges(pgid: string) {
  const queries = useQueryClient()
  const onSuccess = async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: connectionsQuery(pgid).queryKey }),
      queries.invalidateQueries({ queryKey: settingsOfProject(pgid) }),
      refreshAccount(),
    ])
  }
  const add = useMutation({
    mutationFn: (body: ConnectionInput & { provider: Provider }) =>
      callRoute(addConnection, { params: { pgid }, body }),
    onSuccess,
  })
  const change = useMutation({
    mutationFn: ({ gid, body }: { gid: string; body: ConnectionInput }) =>
      callRoute(changeConnection, { params: { pgid, gid }, body }),
    onSuccess,
  })
  const remove = useMutation({
    mutationFn: (gid: string) => callRoute(deleteConnection, { params: { pgid, gid } }),
    onSuccess,
  })
  return { add, change, remove }
}
