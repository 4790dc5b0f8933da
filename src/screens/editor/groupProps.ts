import type { LookDraft } from './useLookDraft'

/** What each group of the sidebar works on. */
export interface GroupProps {
  draft: LookDraft
  readOnly: boolean
  pgid: string
  cgid: string
}
