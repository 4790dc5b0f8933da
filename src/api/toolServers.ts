import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  addToolServer,
  changeToolServer,
  deleteToolServer,
  listToolServers,
  refreshToolServer,
  testTool,
} from '../../server/contracts/tool-servers'
import { callRoute } from './client'

/** The MCP servers that a chatbot's model may use. */
export const toolServersQuery = (pgid: string, cgid: string) =>
  queryOptions({
    queryKey: ['tool-servers', pgid, cgid],
    queryFn: ({ signal }) =>
      callRoute(listToolServers, { params: { pgid, cgid }, signal }).then(({ servers }) => servers),
  })

export function useToolServerChanges(pgid: string, cgid: string) {
  const queries = useQueryClient()
  const params = { pgid, cgid }
  const onSettled = () => queries.invalidateQueries({ queryKey: toolServersQuery(pgid, cgid).queryKey })
  const add = useMutation({
    mutationFn: (body: { name: string; url: string; token?: string }) => callRoute(addToolServer, { params, body }),
    onSettled,
  })
  const change = useMutation({
    mutationFn: ({ gid, ...body }: { gid: string; name?: string; token?: string; enabled?: boolean; off?: string[] }) =>
      callRoute(changeToolServer, { params: { ...params, gid }, body }),
    onSettled,
  })
  const refresh = useMutation({
    mutationFn: (gid: string) => callRoute(refreshToolServer, { params: { ...params, gid } }),
    onSettled,
  })
  const remove = useMutation({
    mutationFn: (gid: string) => callRoute(deleteToolServer, { params: { ...params, gid } }),
    onSettled,
  })
  const test = useMutation({
    mutationFn: ({
      gid,
      ...body
    }: {
      gid: string
      tool: string
      arguments: Record<string, never>
      carry_out?: boolean
    }) => callRoute(testTool, { params: { ...params, gid }, body }),
  })
  return { add, change, refresh, remove, test }
}
