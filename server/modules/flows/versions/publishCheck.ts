import { type CheckedFlow, checkChatbot } from '../../../../engine/check/checkChatbot'
import { describeDiagnostic, namesOf } from '../../../../engine/check/describe'
import { outlineOf } from '../../../../engine/check/outline'
import { viewOfFlow } from '../../../../engine/check/view'
import type { Registry } from '../../../../engine/flow/registry'
import type { ChatbotFlows } from '../../../../engine/flow/schema'
import type { FlowError } from '../../../contracts/versions'
import { ApiError } from '../../../platform/errors'

/** The most problems listed. */
const LISTED = 100

/**
 * The checker's findings in a chatbot's reachable flows, counted, with errors in words.
 * @param secrets names of the project's secrets
 */
export function checkForPublishing(
  flows: ChatbotFlows,
  registry: Registry,
  mainTitle: string,
  secrets: ReadonlySet<string>,
) {
  const checked = checkChatbot(flows, registry, mainTitle, secrets)
  // the checker accepts an empty flow, but nobody could talk to it
  if (flows.main.groups.every(({ blocks }) => blocks.length === 0)) {
    checked[0]?.diagnostics.unshift({ code: 'no-start', severity: 'error', place: {}, values: {} })
  }
  const count = (severity: string) =>
    checked.reduce((sum, { diagnostics }) => sum + diagnostics.filter((one) => one.severity === severity).length, 0)
  return {
    errors: errorsOf(checked, flows, registry),
    error_count: count('error'),
    warning_count: count('warning'),
  }
}

/** @throws ApiError flow_errors with the list, if reachable flows have errors */
export function refuseErrors(
  flows: ChatbotFlows,
  registry: Registry,
  secrets: ReadonlySet<string>,
  mainTitle = 'Main flow',
): void {
  const { errors, error_count } = checkForPublishing(flows, registry, mainTitle, secrets)
  const [first] = errors
  if (!first) return
  const where = first.group ? ` (“${first.group}”${flows.others.length > 0 ? ` in “${first.flow.title}”` : ''})` : ''
  const more = error_count > 1 ? ` And ${error_count - 1} more.` : ''
  throw new ApiError('flow_errors', {
    message: `Fix this and publish again: ${first.text}${where}${more}`,
    details: { errors, error_count },
  })
}

function errorsOf(checked: readonly CheckedFlow[], { others }: ChatbotFlows, registry: Registry): FlowError[] {
  const outlines = others.map(({ id, title, flow }) => outlineOf(id, title, flow, registry))
  const found: FlowError[] = []
  for (const { id, title, flow, diagnostics } of checked) {
    const errors = diagnostics.filter(({ severity }) => severity === 'error').slice(0, LISTED - found.length)
    if (errors.length === 0) continue
    const names = namesOf(viewOfFlow(flow), registry, outlines)
    for (const diagnostic of errors) {
      const { code, place } = diagnostic
      const { groupId, blockId } = place
      found.push({
        flow: { gid: id, title },
        code,
        text: describeDiagnostic(diagnostic, names),
        group_id: groupId ?? null,
        group: (groupId !== undefined && names.group(groupId)) || '',
        block_id: blockId ?? null,
      })
    }
  }
  return found
}
