import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { readEmbeddings } from '../../server/contracts/embeddings'
import {
  addLocalModel,
  changeLocalModel,
  continueLocalModel,
  deleteLocalModel,
  findLocalServers,
  type LocalModel,
  type LocalModelFile,
  listLocalModels,
  uploadLocalModelFile,
  useLocalModel as useRoute,
} from '../../server/contracts/localModels'
import { callRoute } from './client'

/** ms between two looks at what is loading or being embedded */
const LOOK_EVERY = 1_500
const moves = ({ state }: LocalModel) => state === 'loading' || state === 'packing'

/** The embedding models of a project that lie on this machine, followed while one is loading. */
export const localModelsQuery = (pgid: string) =>
  queryOptions({
    queryKey: ['ai', pgid, 'local-models'],
    queryFn: ({ signal }) => callRoute(listLocalModels, { params: { pgid }, signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.models.some(moves) ? LOOK_EVERY : false),
  })

/** How far a project's passages are embedded, followed until all of them are. */
export const embeddingsQuery = (pgid: string) =>
  queryOptions({
    queryKey: ['ai', pgid, 'embeddings'],
    queryFn: ({ signal }) => callRoute(readEmbeddings, { params: { pgid }, signal }),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) =>
      data && data.model !== null && data.embedded < data.passages ? LOOK_EVERY : false,
  })

/** Servers of models on this machine that the project may call. */
export const localServersQuery = (pgid: string) =>
  queryOptions({
    queryKey: ['ai', pgid, 'connections', 'local-servers'],
    queryFn: ({ signal }) => callRoute(findLocalServers, { params: { pgid }, signal }),
  })

export interface ModelUpload {
  name: string
  files: Partial<Record<LocalModelFile, File>>
  /** 0 to 1, over all files */
  onProgress: (part: number) => void
}

/** Mutations of a project's models in files; the answers of its chatbots change with the one in use. */
export function useLocalModelChanges(pgid: string) {
  const queries = useQueryClient()
  const onSettled = () => queries.invalidateQueries({ queryKey: ['ai', pgid] })
  const load = useMutation({
    mutationFn: (address: string) => callRoute(addLocalModel, { params: { pgid }, body: { address, name: '' } }),
    onSettled,
  })
  const upload = useMutation({
    mutationFn: async ({ name, files, onProgress }: ModelUpload) => {
      const { model } = await callRoute(addLocalModel, { params: { pgid }, body: { address: null, name } })
      const params = { pgid, gid: model.gid }
      try {
        const chosen = Object.entries(files) as [LocalModelFile, File][]
        const all = chosen.reduce((sum, [, { size }]) => sum + size, 0)
        let before = 0
        for (const [file, content] of chosen) {
          const onPart = (part: number) => onProgress((before + part * content.size) / all)
          await callRoute(uploadLocalModelFile, {
            params,
            query: { name: file },
            file: { content, onProgress: onPart },
          })
          before += content.size
        }
        return await callRoute(continueLocalModel, { params })
      } catch (error) {
        // half a model helps nobody: the form keeps what was chosen
        await callRoute(deleteLocalModel, { params }).catch(() => undefined)
        throw error
      }
    },
    onSettled,
  })
  const goOn = useMutation({
    mutationFn: (gid: string) => callRoute(continueLocalModel, { params: { pgid, gid } }),
    onSettled,
  })
  const use = useMutation({
    mutationFn: ({ gid, in_use }: { gid: string; in_use: boolean }) =>
      callRoute(useRoute, { params: { pgid, gid }, body: { in_use } }),
    onSettled,
  })
  const change = useMutation({
    mutationFn: ({
      gid,
      body,
    }: {
      gid: string
      body: Pick<LocalModel, 'question_prefix' | 'passage_prefix' | 'pooling'>
    }) => callRoute(changeLocalModel, { params: { pgid, gid }, body }),
    onSettled,
  })
  const remove = useMutation({
    mutationFn: (gid: string) => callRoute(deleteLocalModel, { params: { pgid, gid } }),
    onSettled,
  })
  return { load, upload, goOn, use, change, remove }
}
