import type { ChatbotPlace } from '../../../api/sources'

/** Props of each form of a new source. */
export interface NewSourceProps {
  place: ChatbotPlace
  /** reports whether leaving would lose something */
  onUnsaved: (unsaved: boolean) => void
  /** everything was added: go to the list */
  onDone: () => void
}

/** Whether a text is no whole number within limits. */
export const wholeWrong = (text: string, min: number, max: number): boolean =>
  !/^\s*\d+\s*$/.test(text) || Number(text) < min || Number(text) > max
