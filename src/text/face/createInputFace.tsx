import type { LucideIcon } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { InputFields } from '../../../engine/flow/inputFields'
import { type BlockFace, type FaceProps, faceMetrics } from '../../ui/blockFace'
import { richCardText } from './cardTexts'
import { FaceRichText, richTextHeight } from './FaceText'
import { QuickReplies, quickRepliesHeight, quickReplyTexts } from './QuickReplies'
import { SavedTo } from './SavedTo'

const PROMPT_LINES = 4

/**
 * The common face of input kinds: the question, quick replies, and the variable of the answer. `kind` selects the
 * placeholder of an empty prompt.
 */
export const createInputFace = <Data extends InputFields>(kind: string, icon: LucideIcon): BlockFace<Data> => ({
  icon,
  height: (data, names) =>
    richTextHeight(data.prompt, PROMPT_LINES, names.variable) +
    quickRepliesHeight(data.quickReplies) +
    (data.saveTo === null ? 0 : faceMetrics.line),
  texts: ({ quickReplies }) => [richCardText('prompt'), ...quickReplyTexts(quickReplies)],
  // biome-ignore lint/correctness/noComponentHookFactories: created once per kind, on import
  Component: (props) => <InputFace {...props} kind={kind} />,
})

function InputFace({ kind, data, names }: FaceProps<InputFields> & { kind: string }) {
  const { t } = useTranslation('blocks')
  return (
    <>
      <FaceRichText
        name="prompt"
        value={data.prompt}
        max={PROMPT_LINES}
        nameOf={names.variable}
        empty={t(`${kind}.face.empty`)}
      />
      <QuickReplies replies={data.quickReplies} nameOf={names.variable} />
      {data.saveTo !== null && <SavedTo name={names.variable(data.saveTo)} />}
    </>
  )
}
