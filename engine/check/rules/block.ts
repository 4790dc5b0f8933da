import { secretNameOf } from '../../values/secrets'
import { isReservedId } from '../../values/systemVariables'
import type { Diagnostic } from '../diagnostic'
import type { Node } from '../graph'
import type { FlowOutline } from '../outline'
import { report } from './report'

/**
 * Problems of a block on its own: its kind, its fields, its channel.
 * @param mailServer whether the installation has one; null if unknown
 */
export function checkBlock({ view, facts }: Node, mailServer: boolean | null): Diagnostic[] {
  const found = facts.problems.map(({ code, path, values, mended }) => {
    const place = { groupId: view.groupId, blockId: view.id, ...(path !== undefined && { path }) }
    if (code === 'unknown-kind' || code === 'placeholder-left') {
      return report(code, place, values, {
        code: 'delete-block',
        commands: [{ name: 'deleteBlocks', args: [[view.id]] }],
      })
    }
    if (code === 'plain-secret' && path !== undefined)
      return report(code, place, values, { code: 'save-secret', commands: [], plain: { blockId: view.id, path } })
    if (!mended) return report(code, place, values)
    return report(code, place, values, {
      code: 'set-default',
      commands: [{ name: 'setBlockData', args: [view.id, { ...mended }] }],
    })
  })
  if (mailServer !== false || !facts.definition?.sendsMail) return found
  return [...found, report('no-mail-server', { groupId: view.groupId, blockId: view.id })]
}

/** The usual result. Shared, since every block is checked again when the variables change. */
const NOTHING: Diagnostic[] = []

/** Variables named by the block that the flow does not have. */
export function checkVariables({ view, facts }: Node, known: { has(variableId: string): boolean }): Diagnostic[] {
  const isKnown = (id: string) => known.has(id)
  if (facts.reads.every(isKnown) && facts.writes.every(isKnown)) return NOTHING
  const place = { groupId: view.groupId, blockId: view.id }
  const unknown = [...new Set([...facts.reads, ...facts.writes])].filter((id) => !isKnown(id))
  return unknown.map((variableId) => {
    // texts for visitors and variable values never hold a secret
    if (secretNameOf(variableId) !== null) return report('secret-not-allowed', { ...place, variableId })
    if (isReservedId(variableId) || !/^[A-Za-z0-9_-]{1,64}$/.test(variableId))
      return report('unknown-variable', { ...place, variableId })
    const name = `missing ${variableId
      .replace(/[^A-Za-z0-9]/g, ' ')
      .trim()
      .slice(0, 20)}`
    return report(
      'unknown-variable',
      { ...place, variableId },
      {},
      {
        code: 'create-variable',
        commands: [{ name: 'addVariable', args: [{ id: variableId, name, value: null }] }],
      },
    )
  })
}

/** Secrets that the project does not have. @param present their names; null if unknown */
export function checkSecrets({ view, facts }: Node, present: ReadonlySet<string> | null): Diagnostic[] {
  if (facts.secrets.length === 0 || present === null) return NOTHING
  return facts.secrets
    .filter((name) => !present.has(name))
    .map((name) =>
      report(
        'secret-missing',
        { groupId: view.groupId, blockId: view.id },
        { name },
        { code: 'create-secret', commands: [], secret: name },
      ),
    )
}

/** Flows that a block calls, and the entry points it names in them. */
export function checkCalls(
  { view, facts }: Node,
  flowId: string | null,
  others: readonly FlowOutline[] | null,
): Diagnostic[] {
  const place = { groupId: view.groupId, blockId: view.id }
  return facts.calls.flatMap((call) => {
    if (call.flowId === flowId) return report('flow-too-deep', place)
    if (others === null) return []
    const flow = others.find(({ id }) => id === call.flowId)
    if (!flow) return report('flow-gone', place)
    const found: Diagnostic[] = []
    const named = { flow: { flow: call.flowId } }
    if (call.groupId !== null && !flow.groups.some(({ id }) => id === call.groupId))
      found.push(report('flow-group-gone', place, named))
    if ([...call.gives, ...call.takes].some((wanted) => !flow.variables.some(({ id }) => id === wanted)))
      found.push(report('flow-variable-gone', place, named))
    return found
  })
}
