import type { AiSettingsView } from '../../../server/contracts/ai'
import type { Draft } from './draft'

/** Props of every card of the form. */
export interface PartProps {
  view: AiSettingsView
  draft: Draft
  errors: Readonly<Record<string, string>>
  readOnly: boolean
  onChange: (changes: Partial<Draft>) => void
}
