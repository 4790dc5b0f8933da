import type { Transaction } from 'kysely'
import type { ChatbotFlows } from '../../../engine/flow/schema'
import type { ServerContext } from '../../context'
import type { FileStore } from '../../storage/files'
import type { Database } from '../../storage/tables'

/**
 * Gives a project's files to another one, under ids of its own: they outlive the first project there.
 * @returns what makes flows of the first project name the other's files
 */
export async function copyFiles(
  { ids }: Pick<ServerContext, 'ids'>,
  transaction: Transaction<Database>,
  store: FileStore,
  from: string,
  to: string,
): Promise<(flows: ChatbotFlows) => ChatbotFlows> {
  const addresses = new Map<string, string>()
  const files = await transaction.selectFrom('files').selectAll().where('project_id', '=', from).execute()
  for (const { id: _, ...file } of files) {
    if (!(await store.copy(from, file.sha256, to))) continue
    const gid = ids()
    await transaction
      .insertInto('files')
      .values({ ...file, gid, project_id: to })
      .execute()
    addresses.set(`/files/${file.gid}`, `/files/${gid}`)
  }
  // an address means the same wherever it stands in a flow, so no kind has to be known here
  return (flows) =>
    JSON.parse(JSON.stringify(flows).replace(/\/files\/[a-z0-9]{16}/g, (address) => addresses.get(address) ?? address))
}
