import { registry } from '../../../blocks/registry'
import { emptyFlow, type Flow } from '../../../engine/flow/schema'
import type { DynamicValue } from '../../../engine/values/dynamicValue'
import type { Json } from '../../../engine/values/json'
import { createChatbot } from '../../../server/contracts/chatbots'
import { publishFlow } from '../../../server/contracts/flows'
import { listProjects } from '../../../server/contracts/projects'
import type { TestClient } from '../../support/client'

/** Where an attack goes: a server, and somebody logged in to a project of their own there. */
interface Target {
  baseUrl: string
  client: TestClient
  /** an address that flows there may call, whose JSON answers are long lists of texts; none: no mappings */
  answers?: string
}

/** Visitors of each hostile chatbot at once. */
const VISITORS = 3
/** ms before a visitor who was refused comes again. */
const REFUSED = 100

/** Flows that take as much work as they may, each talked to by several visitors who start again and again. */
export const flowCase = {
  name: 'flow',
  async start({ baseUrl, client, answers }: Target): Promise<{ stop(): Promise<void> }> {
    const [project] = (await client.call(listProjects)).projects
    const pgid = project?.gid ?? ''
    const slugs: string[] = []
    for (const [name, blocks] of Object.entries(hostileBlocks(answers))) {
      const source = JSON.stringify(flowOf(blocks))
      const { chatbot } = await client.call(createChatbot, { params: { pgid }, body: { name, source } })
      await client.call(publishFlow, { params: { pgid, cgid: chatbot.gid, fid: chatbot.fid }, body: {} })
      slugs.push(chatbot.slug)
    }
    let going = true
    const visit = async (slug: string, visitor: number) => {
      for (let count = 0; going; count++) {
        const body = JSON.stringify({ client_id: `hostile-${visitor}-${count}` })
        const headers = { 'content-type': 'application/json' }
        const url = `${baseUrl}/api/chat/${slug}/conversations`
        const answer = await fetch(url, { method: 'POST', headers, body }).catch(() => null)
        await answer?.arrayBuffer().catch(() => null)
        if (!answer?.ok) await new Promise((resolve) => setTimeout(resolve, REFUSED))
      }
    }
    const visits = slugs.flatMap((slug) => Array.from({ length: VISITORS }, (_, visitor) => visit(slug, visitor)))
    return {
      async stop() {
        going = false
        await Promise.all(visits)
      },
    }
  },
}

interface Placed {
  kind: string
  data: unknown
}

const still = (value: string): DynamicValue => ({ type: 'static', value })

const set = (variableId: string, source: string): Placed => ({
  kind: 'set-variable',
  data: { variableId, mode: 'expression', value: still(source), takeTo: null },
})

function hostileBlocks(answers: string | undefined): Record<string, Placed[]> {
  const condition = (comparisons: (n: number) => object): Placed => ({
    kind: 'condition',
    data: {
      branches: Array.from({ length: 2 }, (_, n) => ({
        id: `branch${n}`,
        match: 'any',
        comparisons: Array.from({ length: 25 }, (_, at) => ({ id: `c${at}`, variableId: 'v', ...comparisons(at) })),
      })),
    },
  })
  const patterns = condition((at) => ({ operator: 'matches', value: still(`([a-cx-z]|b|ab)*${at}{9}`) }))
  const expressions = condition((at) => ({
    subject: 'expression',
    operator: 'equals',
    value: still(`length(split(repeat("ab", ${90_000 + at}), "a")) < 0`),
  }))
  return {
    patterns: [set('v', 'repeat("ab", 6000)'), ...Array.from({ length: 20 }, () => patterns)],
    paths: Array.from({ length: 20 }, () => set('v', 'length(pluck(range(1, 20000), repeat("[0]", 60)))')),
    expressions: Array.from({ length: 20 }, () => expressions),
    ...(answers !== undefined && { mappings: [mappings(answers)] }),
  }
}

const mappings = (url: string): Placed => ({
  kind: 'http-request',
  data: {
    ...registry.get('http-request').defaults(() => 'x'),
    url: still(url),
    mapping: Array.from({ length: 50 }, (_, at) => ({
      id: `m${at}`,
      from: 'body',
      path: `$..[?search(@, '${'(a|b)*'.repeat(20)}${at}')]`,
      variableId: 'v',
    })),
  },
})

/** One group: the start, then these. */
function flowOf(blocks: readonly Placed[]): Flow {
  const placed = [{ kind: 'start', data: {} }, ...blocks].map(({ kind, data }, at) => ({
    id: `block${at}`,
    kind,
    version: registry.get(kind).migrations.length,
    data: data as Record<string, Json>,
  }))
  return {
    ...emptyFlow(),
    variables: [{ id: 'v', name: 'v', value: null }],
    groups: [{ id: 'group', title: 'Work', position: { x: 0, y: 0 }, blocks: placed }],
  }
}
