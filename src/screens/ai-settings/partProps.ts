import type { AiSettingsView } from '../../../server/contracts/ai'
import type { Draft } from './draft'

/** What every card of the form is given. */
export interface PartProps {
  view: AiSettingsView
  draft: Draft
  errors: Readonly<Record<string, string>>
  readOnly: boolean
  onChange: (changes: Partial<Draft>) => void
}
