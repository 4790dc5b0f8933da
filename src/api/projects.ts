import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  createProject,
  deleteProject,
  duplicateProject,
  listProjects,
  readAllowedAddresses,
  readNetworks,
  renameProject,
  updateAllowedAddresses,
  updateNetworks,
} from '../../server/contracts/projects'
import { projectRenamed, refreshAccount } from './account'
import { callRoute } from './client'

export const projectsQuery = () =>
  queryOptions({
    queryKey: ['projects'],
    queryFn: ({ signal }) => callRoute(listProjects, { signal }).then(({ projects }) => projects),
  })

/** The private networks that the project may call. */
export const networksQuery = (pgid: string) =>
  queryOptions({
    queryKey: ['networks', pgid],
    queryFn: ({ signal }) => callRoute(readNetworks, { params: { pgid }, signal }),
  })

export function useNetworksChange(pgid: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (networks: string) => callRoute(updateNetworks, { params: { pgid }, body: { networks } }),
    onSuccess: (answer) => queries.setQueryData(networksQuery(pgid).queryKey, answer),
  })
}

/** The entry address of a project: `/` redirects to the landing screen of the account's roles there. */
export const projectEntry = (gid: string): string => `/?project=${gid}`

/** Mutations of projects; they update the lists and the account. */
export function useProjectChanges() {
  const queries = useQueryClient()
  const reread = () => queries.invalidateQueries({ queryKey: projectsQuery().queryKey })
  const changed = async () => {
    await Promise.all([reread(), refreshAccount()])
  }

  const create = useMutation({
    mutationFn: async (name: string) => (await callRoute(createProject, { body: { name } })).project,
    onSuccess: changed,
  })
  const rename = useMutation({
    mutationFn: async ({ pgid, name }: { pgid: string; name: string }) =>
      (await callRoute(renameProject, { params: { pgid }, body: { name } })).project,
    onSuccess: ({ gid, name }) => {
      projectRenamed(gid, name)
      void reread()
    },
  })
  const duplicate = useMutation({
    mutationFn: async (pgid: string) => (await callRoute(duplicateProject, { params: { pgid } })).project,
    onSuccess: changed,
  })
  const remove = useMutation({
    mutationFn: async ({ pgid, name }: { pgid: string; name: string }) => {
      await callRoute(deleteProject, { params: { pgid }, body: { name } })
    },
    onSuccess: reread,
  })
  return { create, rename, duplicate, remove }
}

/** From where the project may be opened. */
export const allowedAddressesQuery = (pgid: string) =>
  queryOptions({
    queryKey: ['allowed-addresses', pgid],
    queryFn: ({ signal }) => callRoute(readAllowedAddresses, { params: { pgid }, signal }),
  })

export function useAllowedAddressesChange(pgid: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (addresses: string) => callRoute(updateAllowedAddresses, { params: { pgid }, body: { addresses } }),
    onSuccess: (answer) => queries.setQueryData(allowedAddressesQuery(pgid).queryKey, answer),
  })
}
