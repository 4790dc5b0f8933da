import { MessageSquarePlus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { keyCaps } from '../canvas/keyboard/chord'
import { IconButton } from '../ui/IconButton'
import { KeyHint } from '../ui/KeyHint'
import { PLACING_KEY } from './useCommentActions'
import { useCommentState, useComments } from './useComments'

/** The canvas tool that starts the placing mode. Hidden for viewers. */
export function CommentTool() {
  const { t } = useTranslation('comments')
  const { store, mayWrite } = useComments()
  const placing = useCommentState((state) => state.placing)
  if (!mayWrite) return null
  return (
    <IconButton
      label={t('placing.tool')}
      keys={<KeyHint keys={keyCaps(PLACING_KEY)} />}
      tooltipPosition="top"
      icon={<MessageSquarePlus size={15} />}
      active={placing}
      onClick={() => store.setState({ placing: !placing, open: null })}
    />
  )
}
