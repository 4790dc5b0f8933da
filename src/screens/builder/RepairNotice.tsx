import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Repair } from '../../../engine/document/repairDocument'
import { REPAIRED_TOPIC } from '../../../engine/document/syncProtocol'
import { useEditor, useKindTexts } from '../../canvas/context'
import { useFlow } from '../../collab/useFlow'
import { Button } from '../../ui/Button'
import { notify } from '../../ui/notify'
import styles from './RepairNotice.module.css'
import type { ShownPlace } from './showPlace'

interface Line {
  text: string
  place: ShownPlace | null
}

/** Shows what the server has repaired in the open flow, with links; stays until closed. */
export function useRepairNotice(fid: string, showPlace: (place: ShownPlace) => void): void {
  const flow = useFlow()
  const describeRepairs = useRepairWords(fid)
  const { t } = useTranslation('builder')
  const show = useRef(showPlace)
  show.current = showPlace
  useEffect(
    () =>
      flow.onNews(REPAIRED_TOPIC, (detail) => {
        const lines = describeRepairs(readRepairs(detail))
        if (lines.length === 0) return
        notify.kept(
          <>
            <p className={styles.title}>{t('repaired.title')}</p>
            <ul className={styles.list}>
              {lines.slice(0, MOST).map(({ text, place }) => (
                <li key={text}>
                  {text}
                  {place && (
                    <Button
                      size="s"
                      design="ghost"
                      aria-label={t('repaired.showOf', { what: text })}
                      onClick={() => show.current(place)}
                    >
                      {t('repaired.show')}
                    </Button>
                  )}
                </li>
              ))}
            </ul>
            {lines.length > MOST && <p>{t('repaired.more', { count: lines.length - MOST })}</p>}
          </>,
        )
      }),
    [flow, describeRepairs, t],
  )
}

/** The most lines of a notice. */
const MOST = 4

function readRepairs(detail: string | null): readonly Repair[] {
  try {
    const repairs: unknown = JSON.parse(detail ?? '[]')
    return Array.isArray(repairs) ? repairs : []
  } catch {
    return []
  }
}

function useRepairWords(fid: string): (repairs: readonly Repair[]) => Line[] {
  const { document } = useEditor()
  const kinds = useKindTexts()
  const { t } = useTranslation('builder')
  const latest = useRef<(repairs: readonly Repair[]) => Line[]>(() => [])
  latest.current = (repairs) => {
    const { groups, blocks } = document.projection()
    const block = (blockId: string) => ({ block: kinds.title(blocks.get(blockId)?.kind ?? '') || t('history.block') })
    const group = (groupId: string) => ({ group: groups.get(groupId)?.title || t('canvas.untitled') })
    const toBlock = (blockId: string) => (blocks.has(blockId) ? { flowId: fid, blockId } : null)
    const toGroup = (groupId: string) => (groups.has(groupId) ? { flowId: fid, groupId } : null)
    const lines = repairs.map((repair): Line => {
      const { code } = repair
      switch (code) {
        case 'block-placed':
          return {
            text: t('repaired.blockPlaced', { ...block(repair.blockId), ...group(repair.groupId) }),
            place: toBlock(repair.blockId),
          }
        case 'data-mended':
          return { text: t('repaired.dataMended', block(repair.blockId)), place: toBlock(repair.blockId) }
        case 'text-made':
          return { text: t('repaired.textMade', block(repair.blockId)), place: toBlock(repair.blockId) }
        case 'group-mended':
          return { text: t('repaired.groupMended', group(repair.groupId)), place: toGroup(repair.groupId) }
        case 'order-mended':
          return { text: t(`repaired.orderMended.${repair.of}`), place: toGroup(repair.groupId ?? '') }
        case 'edge-removed':
          return { text: t('repaired.edgeRemoved'), place: toBlock(repair.blockId) }
        case 'variable-renamed':
          return { text: t('repaired.variableRenamed', { from: repair.from, to: repair.to }), place: null }
        default:
          return { text: t('repaired.entryRemoved'), place: null }
      }
    })
    return [...new Map(lines.map((line) => [line.text, line])).values()]
  }
  return useRef((repairs: readonly Repair[]) => latest.current(repairs)).current
}
