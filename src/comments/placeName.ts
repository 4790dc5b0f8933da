import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import type { Anchor } from '../../server/contracts/comments'
import { useEditor, useKindTexts } from '../canvas/context'

/** The present name of a group or a block; null if deleted. A position is "the canvas". */
export function usePlaceName(): (anchor: Anchor) => string | null {
  const { document } = useEditor()
  const kinds = useKindTexts()
  const { t } = useTranslation('comments')
  return useCallback(
    (anchor) => {
      if (anchor.kind === 'spot') return t('place.canvas')
      const { groups, blocks } = document.projection()
      const block = anchor.kind === 'block' ? blocks.get(anchor.id) : undefined
      const group = groups.get(block?.groupId ?? (anchor.kind === 'group' ? anchor.id : ''))
      if (!group) return null
      const title = group.title.trim() || t('place.untitled')
      return block ? t('place.block', { group: title, kind: kinds.title(block.kind) }) : title
    },
    [document, kinds, t],
  )
}
