import { type NamedThings, namedInFlow } from '../../../../engine/flow/namedInFlow'
import type { Registry } from '../../../../engine/flow/registry'
import type { ChatbotFlows, Flow } from '../../../../engine/flow/schema'
import { intentsOf } from '../../../../engine/intents/intentsOf'
import { soundFlows } from '../flows/soundFlows'
import { inPresentForm } from '../versions/presentForm'
import { refuseErrors } from '../versions/publishCheck'
import { cutFlow } from './flowPieces'
import { reportTests, type TestReplay } from './reportTests'

/** A stored version as JSON texts: the main flow, and the others by id. */
export interface StoredVersion {
  flow: string
  flows: string
}

/** A chatbot's flows, each as JSON text. */
export interface FlowTexts {
  main: string
  others: { id: string; title: string; flow: string }[]
}

interface TestsToReport {
  version: StoredVersion
  titles: Readonly<Record<string, string>>
  replays: readonly TestReplay[]
}

/** Operations on versions, like those on drafts (draftTasks.ts). */
export function createVersionTasks(registry: Registry) {
  const read = ({ flow, flows }: StoredVersion) => ({
    main: JSON.parse(flow) as Flow,
    others: JSON.parse(flows) as Record<string, Flow>,
  })
  const titled = (version: StoredVersion, titles: Readonly<Record<string, string>>): ChatbotFlows => {
    const { main, others } = read(version)
    return {
      main,
      others: Object.entries(others).map(([id, flow]) => ({ id, title: titles[id] ?? 'Restored flow', flow })),
    }
  }

  return {
    /** A version's flows in the form of drafts, with the given titles. */
    unfreeze: ({ version, titles }: { version: StoredVersion; titles: Readonly<Record<string, string>> }) =>
      textsOf(titled(version, titles), registry),

    /** Refuses a version in which the checker, given the project's secrets, finds errors. */
    checkVersion(given: {
      version: StoredVersion
      titles: Readonly<Record<string, string>>
      secrets: readonly string[]
    }): null {
      const flows = inPresentForm(titled(given.version, given.titles), registry)
      refuseErrors(soundFlows(flows, registry), registry, new Set(given.secrets))
      return null
    },

    /** A version's flows in pieces, for building a program, and the training data of its intents. */
    cut({ version }: { version: StoredVersion }) {
      const { main, others } = read(version)
      return {
        main: cutFlow(main),
        others: Object.entries(others).map(([id, flow]) => ({ id, flow: cutFlow(flow) })),
        intents: intentsOf([main, ...Object.values(others)], registry),
      }
    },

    /** The training data of a version's intents. */
    intents({ version }: { version: StoredVersion }) {
      const { main, others } = read(version)
      return intentsOf([main, ...Object.values(others)], registry)
    },

    /** A report on tests replayed on these flows. */
    reportTests({ version, titles, replays }: TestsToReport) {
      return reportTests(titled(version, titles), registry, replays)
    },

    /** The secrets or connections that a version refers to. */
    namedInVersion({ version, things }: { version: StoredVersion; things: NamedThings }): string[] {
      const { main, others } = read(version)
      return [...new Set([main, ...Object.values(others)].flatMap((flow) => namedInFlow(flow, registry, things)))]
    },
  }
}

/** Every block at the present version of its kind. */
export function textsOf(flows: ChatbotFlows, registry: Registry): FlowTexts {
  const { main, others } = inPresentForm(flows, registry)
  return {
    main: JSON.stringify(main),
    others: others.map(({ id, title, flow }) => ({ id, title, flow: JSON.stringify(flow) })),
  }
}
