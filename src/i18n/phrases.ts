import i18next from 'i18next'
import type { Port } from '../../engine/flow/defineBlock'
import { createRegistry, type Registry } from '../../engine/flow/registry'

/**
 * Kinds of blocks name their outputs, and say what is still to be filled in, in English. Here is the same in the
 * interface's language; what no text is there for stays as it is. Both need the namespace `phrases` to be loaded.
 */
const say = (key: string, english: string): string =>
  i18next.language === 'en' ? english : i18next.t(`phrases:${key}`, { defaultValue: english })

/** @param message what a kind's schema or its `problems` says against a field */
export const messageText = (message: string): string => say(`messages.${message}`, message)

/** An output that a kind names itself has an id of the kind's; one that an editor names has an id of chance. */
const named = (port: Port): Port =>
  port.label === undefined ? port : { ...port, label: say(`outputs.${port.id}.${port.label}`, port.label) }

/** The same kinds, whose outputs are named in the interface's language. */
export const withNamedOutputs = ({ kinds }: Registry): Registry =>
  createRegistry(kinds.map((kind) => ({ ...kind, ports: (data) => kind.ports(data).map(named) })))
