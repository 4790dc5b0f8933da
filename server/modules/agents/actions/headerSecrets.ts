import { z } from 'zod'
import type { ActionConfig, AgentAction } from '../../../../engine/values/agentActions'
import { replacePlaceholders } from '../../../../engine/values/placeholders'
import type { Config } from '../../../platform/config/config'
import type { ServerContext } from '../../../platform/context'
import { fieldError } from '../../../platform/errors'
import { createSecrets } from '../../../platform/secrets/secrets'
import { type ActionRow, actionOf } from './rows'

type Place = Pick<ActionRow, 'gid' | 'project_id'>
type Stored = Place & Parameters<typeof actionOf>[0] & Pick<ActionRow, 'sealed_headers'>
type Header = ActionConfig<'http-request'>['headers'][number]

const valuesSchema = z.record(z.string(), z.string())

/** Header values of HTTP actions: stored encrypted, and only their last characters are shown. */
export function createHeaderSecrets(config: Pick<Config, 'secretKeys' | 'dataDir'>) {
  const secrets = createSecrets(config)
  const placeOf = ({ gid, project_id }: Place) => ({ projectId: project_id, row: `agent_actions/${gid}` })

  /** By lower-case header name; null if they can't be decrypted any more. */
  function valuesOf(row: Stored): Record<string, string> | null {
    if (row.sealed_headers === null) return {}
    const text = secrets.open(row.sealed_headers, placeOf(row))
    return text === null ? null : valuesSchema.parse(JSON.parse(text))
  }

  return {
    /** The action with its header values; null if they can't be decrypted: their key is gone. */
    opened(row: Stored): AgentAction | null {
      const action = actionOf(row)
      const values = valuesOf(row)
      return values && withHeaders(action, (header) => ({ name: header.name, value: valueIn(values, header) }))
    },

    /**
     * An action from a form, with the values that the form left unchanged.
     * @param row the stored action; null: there is none
     * @param path of the action in the request
     * @throws ApiError at a value that must be entered again: its header or its server has changed, or it can't be
     *   decrypted
     */
    filled(action: AgentAction, row: Stored | null, path = ''): AgentAction {
      const stored = row && actionOf(row)
      const isSameServer = serverOf(action) === (stored && serverOf(stored))
      const values = row && valuesOf(row)
      return withHeaders(action, (header, at) => {
        const { name, value, kept } = header
        if (kept === undefined || value !== '') return { name, value }
        const again = (why: string) => fieldError(`${path}config.headers.${at}.value`, `Enter this value again: ${why}`)
        if (row && values === null) throw again('it can no longer be read')
        const known = values?.[name.toLowerCase()]
        if (known === undefined) throw again('none is kept for a header of this name')
        if (!isSameServer) throw again('it would be sent to another server than the one it was entered for')
        return { name, value: known }
      })
    },

    /** The columns of an action. */
    columnsOf(action: AgentAction, place: Place): { config: string; sealed_headers: string | null } {
      const secret: Record<string, string> = {}
      const shown = withHeaders(action, ({ name, value }) => {
        if (isOpen(value)) return { name, value }
        secret[name.toLowerCase()] = value
        return { name, value: '', kept: previewOf(value) }
      })
      const isNone = Object.keys(secret).length === 0
      return {
        config: JSON.stringify(shown.config),
        sealed_headers: isNone ? null : secrets.seal(JSON.stringify(secret), placeOf(place)),
      }
    },
  }
}

/** Encrypts headers stored by older versions. For all projects. */
export async function sealPlainHeaders({ db, config }: Pick<ServerContext, 'db' | 'config'>): Promise<void> {
  const headers = createHeaderSecrets(config)
  const rows = await db
    .selectFrom('agent_actions')
    .selectAll()
    .where('kind', '=', 'http-request')
    .where('sealed_headers', 'is', null)
    .execute()
  for (const row of rows) {
    const columns = headers.columnsOf(actionOf(row), row)
    if (columns.sealed_headers === null) continue
    await db
      .updateTable('agent_actions')
      .set(columns)
      .where('id', '=', row.id)
      .where('project_id', '=', row.project_id)
      .where('updated_at', '=', row.updated_at)
      .execute()
  }
}

const withHeaders = (action: AgentAction, change: (header: Header, at: number) => Header): AgentAction =>
  action.kind === 'http-request'
    ? { ...action, config: { ...action.config, headers: action.config.headers.map(change) } }
    : action

const valueIn = (values: Record<string, string>, { name, value, kept }: Header): string =>
  kept === undefined ? value : (values[name.toLowerCase()] ?? '')

/** A value that consists of placeholders holds nothing confidential. */
const isOpen = (value: string): boolean => replacePlaceholders(value, () => '').trim() === ''

/** Identifies a value for its editor; empty for short ones. */
const previewOf = (value: string): string => (value.length >= 12 ? `…${value.slice(-4)}` : '…')

const serverOf = (action: AgentAction): string | null =>
  action.kind === 'http-request' && URL.canParse(action.config.url) ? new URL(action.config.url).origin : null
