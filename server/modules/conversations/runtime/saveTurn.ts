import type { TurnResult } from '../../../../engine/run/session'
import type { Work } from '../../../platform/database/database'
import { SqlText, Statement } from '../../../platform/database/statement'
import type { TurnPath } from '../../statistics/turnPath'
import { isRead } from '../channels/channel'
import { appendAt } from '../messages/appendMessages'
import type { NewMessage } from '../messages/message'
import type { ReceivedTurn } from '../tables'
import { offeredBy } from './offeredBy'
import {
  type Conversation,
  eventsAfter,
  isRun,
  statusAfter,
  type Transcript,
  type VisitorMessage,
  visitorPart,
} from './rows'
import { carrierOf } from './silentQuestion'

/**
 * Stores the end of a turn in one statement: its messages, the record of its steps, its path if it counts for
 * statistics, the new state. Ends the transaction.
 * @throws not_null_violation if the row is not locked and was written meanwhile; nothing is stored then
 */
export async function saveTurn(
  work: Work,
  row: Conversation,
  turn: TurnResult & {
    visitor: VisitorMessage
    received: ReceivedTurn | null
    took: number | null
    path: TurnPath | null
    at: Date
  },
): Promise<Transcript> {
  const said = turn.messages.map(({ blockId, ...content }): NewMessage => ({ author: 1, content, blockId }))
  const { session, at } = turn
  const isSilent = said.length === 0 && !isRead(row.channel)
  const carrier = isSilent ? carrierOf(session.request, row.session.request) : null
  if (carrier) said.push({ author: 1, content: carrier, blockId: null })
  const messages = [...visitorPart(turn.visitor), ...said]
  const state: Conversation['state'] = session.status === 'ended' ? 'ended' : 'waiting'
  const { run_id, project_id, chatbot_id, turns, guard } = row
  const last_seq = row.last_seq + messages.length
  const offered = offeredBy(session.request)
  const statement = new Statement()
  if (guard) statement.withQuery('guard', guard)
  const record = statement.insert('turn_records', [
    {
      // without the guard's row this is null, which fails the whole statement
      run_id: guard ? new SqlText('(select run_id from guard)') : run_id,
      project_id,
      turn: turns,
      trace: JSON.stringify(turn.trace),
      variables: JSON.stringify(turn.variables),
      stopped: turn.stopped ? JSON.stringify(turn.stopped) : null,
      received: turn.received && JSON.stringify(turn.received),
      session: turn.received && JSON.stringify(session),
      last_seq,
      offered: offered && JSON.stringify(offered),
      took: turn.took,
      created_at: at,
    },
  ])
  statement.with('record', record)
  const run = statement.update('runs', {
    state,
    session: JSON.stringify(session),
    turns: turns + 1,
    ...(row.pending && { pending: null }),
    ...(row.opening && { opening: null }),
  })
  const ifGuarded = guard ? ' and exists (select from guard)' : ''
  statement.with('run', `${run} where ${isRun(statement, row)}${ifGuarded}`)
  const path = turn.path && { run_id, project_id, chatbot_id, turn: turns, at, path: JSON.stringify(turn.path) }
  if (path) statement.with('followed', statement.insert('turn_paths', [path]))
  const status = statusAfter(session)
  const last_client_id = turn.visitor?.clientId ?? row.last_client_id
  const { stored, version } = await appendAt(statement, work, row, messages, at, {
    request: session.request,
    events: eventsAfter(row, session, turn.visitor ? { actor: 'visitor' } : { actor: 'bot' }, at),
    ...(status !== row.status && { status }),
    ...(turn.visitor && { last_client_id }),
    commits: true,
    isGuarded: guard !== undefined,
  })
  const after = { status, state, session, last_client_id, last_seq, turns: turns + 1, updated_at: at }
  const saved = { row: { ...row, ...after, pending: null, opening: null }, version }
  return { gid: row.gid, status, state, session, assignee_id: row.assignee_id, messages: stored, saved }
}
