import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { differing } from '../../../engine/check/view'
import type { BlockView, Projection } from '../../../engine/document/commands'
import type { Registry } from '../../../engine/flow/registry'
import type { AiSettingsView } from '../../../server/contracts/ai'
import type { ListedFlow } from '../../../server/contracts/flows'
import { useAccount, useCan } from '../../api/account'
import { aiSettingsQuery } from '../../api/ai'
import { chatbotQuery } from '../../api/chatbots'
import { uploadFile } from '../../api/files'
import { hooksOf } from '../../api/hooks'
import { sendTestRequest } from '../../api/httpTest'
import { integrationsQuery, sendCrmTest, sendSheetTest, sendTicketTest, useChoiceLists } from '../../api/integrations'
import { secretsQuery, useSecretCreation } from '../../api/secrets'
import { loadTemplates } from '../../api/whatsappTemplates'
import { useEditor, useGroupTitles, useProjection } from '../../canvas/context'
import type { FlowScope } from '../../text/flowScope'

/**
 * The forms' context of the flow; changes only with a variable, a group's title, an intent's name or the list of flows.
 * @param current the open flow
 */
export function useFlowScopeValue(
  pgid: string,
  cgid: string,
  listed: readonly ListedFlow[],
  current: string,
): FlowScope {
  const { document, newId, readOnly } = useEditor()
  const variables = useProjection((projection) => projection.variables)
  const groups = useGroupTitles()
  const { mail_server: mailServer, ai_model: environmentModel } = useAccount()
  const seesAi = useCan('ai.view')
  const seesKnowledge = useCan('knowledge_base.view')
  const seesNetworks = useCan('security.update')
  const { data: ai } = useQuery({ ...aiSettingsQuery(pgid, cgid), enabled: seesAi })
  // reloaded on return, so that a first source shows
  const { data: sources = null } = useQuery({
    ...chatbotQuery(pgid, cgid),
    staleTime: 0,
    select: ({ setup }) => setup.sources,
  })
  const { data: secrets } = useQuery(secretsQuery(pgid))
  const createSecret = useSecretCreation(pgid)
  const seesConnections = useCan('integrations.view')
  const { data: integrations } = useQuery({ ...integrationsQuery(pgid), enabled: seesConnections })
  const loadChoices = useChoiceLists(pgid)
  const intents = useIntents()
  const flows = useMemo(
    () =>
      listed
        .filter(({ gid, is_main }) => !is_main && gid !== current)
        .map(({ gid, ...flow }) => ({ id: gid, ...flow })),
    [listed, current],
  )
  const seesTemplates = useCan('whatsapp.view')
  const templates = useMemo(
    () =>
      seesTemplates
        ? {
            load: (fresh: boolean, signal: AbortSignal) => loadTemplates({ pgid, cgid }, fresh, signal),
            screen: `/projects/${pgid}/chatbots/${cgid}/settings/whatsapp`,
          }
        : null,
    [seesTemplates, pgid, cgid],
  )
  const hooks = useMemo(() => (readOnly ? null : hooksOf(pgid, cgid)), [readOnly, pgid, cgid])
  return useMemo(
    () => ({
      variables,
      groups,
      intents,
      flows,
      mailServer,
      sources,
      screens: {
        knowledge: seesKnowledge ? `/projects/${pgid}/chatbots/${cgid}/data-sources` : null,
        ai: seesAi ? `/projects/${pgid}/chatbots/${cgid}/settings/ai` : null,
        networks: seesNetworks ? `/projects/${pgid}/settings/project/security#networks` : null,
      },
      aiModel: (ai && ownModel(ai)) ?? environmentModel ?? false,
      aiModels: ai ? modelsOf(ai) : null,
      createVariable: readOnly
        ? null
        : (name) => {
            const id = newId()
            document.commands.addVariable({ id, name, value: null })
            return id
          },
      secrets: secrets ? { names: secrets.map(({ name }) => name), create: readOnly ? null : createSecret } : null,
      uploadFile: readOnly ? null : (file, medium, options) => uploadFile(pgid, file, medium, options),
      sendTestRequest: readOnly ? null : (request, signal) => sendTestRequest(pgid, request, signal),
      connections: integrations
        ? {
            all: integrations.connections,
            screen: `/projects/${pgid}/integrations`,
            choices: readOnly ? null : loadChoices,
            trySheet: readOnly ? null : (request, signal) => sendSheetTest(pgid, request, signal),
            tryCrm: readOnly ? null : (request, signal) => sendCrmTest(pgid, request, signal),
            tryTicket: readOnly ? null : (request, signal) => sendTicketTest(pgid, request, signal),
          }
        : null,
      templates,
      hooks,
    }),
    [
      variables,
      groups,
      intents,
      flows,
      mailServer,
      sources,
      seesAi,
      seesKnowledge,
      seesNetworks,
      environmentModel,
      ai,
      document,
      newId,
      readOnly,
      secrets,
      integrations,
      createSecret,
      loadChoices,
      templates,
      hooks,
      pgid,
      cgid,
    ],
  )
}

/** The built-in model, which only quotes sources. */
const BUILT_IN = 1

const chosenOf = ({ settings, models }: AiSettingsView) => models.find(({ id }) => id === settings.model_id)

/** The chatbot's model, if it generates text. */
function ownModel(ai: AiSettingsView): string | null {
  const chosen = chosenOf(ai)
  return chosen?.available && chosen.id !== BUILT_IN ? chosen.name : null
}

const modelsOf = (ai: AiSettingsView): FlowScope['aiModels'] => ({
  chosen: chosenOf(ai)?.name ?? '',
  all: ai.models.filter(({ available }) => available),
})

/** The intent triggers of the flow by name; the same array while unchanged. */
function useIntents(): FlowScope['intents'] {
  const { registry } = useEditor()
  const last = useRef<{ blocks: Projection['blocks']; intents: FlowScope['intents'] }>(null)
  return useProjection(({ blocks }) => {
    if (last.current?.blocks === blocks) return last.current.intents
    const was = last.current?.blocks
    const isIntent = (block: BlockView | undefined) =>
      block !== undefined && intentOf(registry, block.id, block.kind, block.data).length > 0
    // typing elsewhere must not scan all blocks of a large flow
    if (
      last.current &&
      was &&
      ![...differing(was, blocks)].some((id) => isIntent(was.get(id)) || isIntent(blocks.get(id)))
    ) {
      last.current = { blocks, intents: last.current.intents }
      return last.current.intents
    }
    const intents = Array.from(blocks.values()).flatMap(({ id, kind, data }) => intentOf(registry, id, kind, data))
    const before = last.current?.intents ?? []
    const same =
      before.length === intents.length &&
      intents.every(({ blockId, name }, at) => before[at]?.blockId === blockId && before[at]?.name === name)
    last.current = { blocks, intents: same ? before : intents }
    return last.current.intents
  })
}

/** Null for other kinds, and for data that the kind can't process. */
function intentOf(
  registry: Registry,
  blockId: string,
  kind: string,
  data: unknown,
): { blockId: string; name: string }[] {
  try {
    const intent = registry.find(kind)?.intent?.(data)
    return intent ? [{ blockId, name: intent.name }] : []
  } catch {
    return []
  }
}
