import type { Registry } from '../../../../engine/flow/registry'
import type { ChatbotFlows, Flow } from '../../../../engine/flow/schema'
import { secretsOfFlow } from '../../../../engine/flow/sealFlow'
import { intentsOf } from '../../../../engine/intents/intentsOf'
import { soundFlows } from '../flows/soundFlows'
import { inPresentForm } from '../versions/presentForm'
import { refuseErrors } from '../versions/publishCheck'
import { cutFlow } from './flowPieces'
import { reportTests, type TestReplay } from './reportTests'

/** A version as it is stored, in texts of JSON: the main flow, and the others by their ids. */
export interface StoredVersion {
  flow: string
  flows: string
}

/** A chatbot's flows, each as a text of JSON. */
export interface FlowTexts {
  main: string
  others: { id: string; title: string; flow: string }[]
}

interface TestsToReport {
  version: StoredVersion
  titles: Readonly<Record<string, string>>
  replays: readonly TestReplay[]
}

/** What is done to versions, like what is done to drafts (draftTasks.ts). */
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
    /** The flows of a version as a draft has them, by the names that are given. */
    unfreeze: ({ version, titles }: { version: StoredVersion; titles: Readonly<Record<string, string>> }) =>
      textsOf(titled(version, titles), registry),

    /** Refused where the checker, told of the project's secrets, finds errors in a version. */
    checkVersion(given: {
      version: StoredVersion
      titles: Readonly<Record<string, string>>
      secrets: readonly string[]
    }): null {
      const flows = inPresentForm(titled(given.version, given.titles), registry)
      refuseErrors(soundFlows(flows, registry), registry, new Set(given.secrets))
      return null
    },

    /** The flows of a version in pieces, for who makes a program of them, and what its intents are trained on. */
    cut({ version }: { version: StoredVersion }) {
      const { main, others } = read(version)
      return {
        main: cutFlow(main),
        others: Object.entries(others).map(([id, flow]) => ({ id, flow: cutFlow(flow) })),
        intents: intentsOf([main, ...Object.values(others)], registry),
      }
    },

    /** What the intents of a version are trained on. */
    intents({ version }: { version: StoredVersion }) {
      const { main, others } = read(version)
      return intentsOf([main, ...Object.values(others)], registry)
    },

    /** What is said of tests that were had again on these flows. */
    reportTests({ version, titles, replays }: TestsToReport) {
      return reportTests(titled(version, titles), registry, replays)
    },

    /** The names of the secrets that a version refers to. */
    secretsOfVersion({ version }: { version: StoredVersion }): string[] {
      const { main, others } = read(version)
      return [...new Set([main, ...Object.values(others)].flatMap((flow) => secretsOfFlow(flow, registry)))]
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
