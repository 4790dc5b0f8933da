import { ArrowDown, ArrowUp, Eye, EyeOff, X } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Action, useProvideActions } from '../../../canvas/actionRegistry'
import { useView } from '../../../canvas/adapter'
import { Canvas } from '../../../canvas/Canvas'
import { select } from '../../../canvas/canvasStore'
import { useEditor } from '../../../canvas/context'
import { showMarks } from '../../../canvas/showMarks'
import { IconButton } from '../../../ui/IconButton'
import { KeyHint } from '../../../ui/KeyHint'
import { SidePanel } from '../SidePanel'
import { ChangeList, useChangeWords } from './ChangeList'
import styles from './CompareView.module.css'
import type { ComparedFlow } from './comparison'
import { listChanges } from './listChanges'
import { marksOf } from './marksOf'

/** Both states of a flow on one canvas, with changes marked and listed. */
export function CompareOnCanvas({ flow, onClose }: { flow: ComparedFlow; onClose: () => void }) {
  const { t } = useTranslation('versions')
  const { document, registry, store } = useEditor()
  const view = useView()
  const [layout, setLayout] = useState(false)
  const [at, setAt] = useState(-1)
  const all = useMemo(() => listChanges(flow, registry), [flow, registry])
  const items = useMemo(() => (layout ? all : all.filter((item) => !item.layout)), [all, layout])
  const hidden = all.length - all.filter((item) => !item.layout).length
  const words = useChangeWords()
  const label = useRef(words)
  label.current = words
  const marks = useMemo(() => marksOf(items, (item) => label.current(item).title), [items])
  useEffect(() => {
    showMarks(store, 'comparison', marks)
    return () => showMarks(store, 'comparison', null)
  }, [store, marks])

  const go = useCallback(
    (next: number) => {
      const item = items[next]
      if (!item) return
      setAt(next)
      const { groupId, blockId } = item
      if (groupId === null) return
      const place = document.projection().blocks.get(blockId ?? '')?.groupId ?? groupId
      select(store, blockId === null ? { groups: [place] } : { blocks: [blockId] })
      view.show(place, blockId ?? document.projection().groups.get(place)?.blockIds[0] ?? '')
    },
    [items, document, store, view],
  )
  const step = useCallback((by: number) => go((at + by + items.length) % Math.max(items.length, 1)), [go, at, items])
  useProvideActions(
    useMemo((): Action[] => {
      const any = () => items.length > 0
      const section = { section: 'flow', writes: false } as const
      return [
        { ...section, id: 'nextChange', keys: ['n'], icon: ArrowDown, enabled: any, run: () => step(1) },
        {
          ...section,
          id: 'previousChange',
          keys: ['p'],
          icon: ArrowUp,
          enabled: any,
          run: () => step(at < 0 ? 0 : -1),
        },
        { ...section, id: 'closeComparison', keys: ['Escape'], icon: X, run: onClose },
      ]
    }, [items, step, at, onClose]),
  )
  return (
    <div className={styles.work}>
      <div className={styles.stage}>
        <Canvas onImport={null} />
        <Legend />
      </div>
      <SidePanel label={t('changes')}>
        <header className={styles.panelHeader}>
          <h2>{t('changes')}</h2>
          <span className={styles.count} role="status">
            {at < 0 ? items.length : t('place', { at: at + 1, of: items.length })}
          </span>
          <IconButton
            size="s"
            label={t('previous')}
            keys={<KeyHint keys={['P']} />}
            icon={<ArrowUp size={15} />}
            disabled={items.length === 0}
            onClick={() => step(at < 0 ? 0 : -1)}
          />
          <IconButton
            size="s"
            label={t('next')}
            keys={<KeyHint keys={['N']} />}
            icon={<ArrowDown size={15} />}
            disabled={items.length === 0}
            onClick={() => step(1)}
          />
          {hidden > 0 && (
            <IconButton
              size="s"
              label={t(layout ? 'hideMoves' : 'showMoves', { count: hidden })}
              icon={layout ? <EyeOff size={15} /> : <Eye size={15} />}
              active={layout}
              onClick={() => {
                setLayout(!layout)
                setAt(-1)
              }}
            />
          )}
        </header>
        <div className={styles.body}>
          <ChangeList items={items} at={at} onGo={go} />
          {!layout && hidden > 0 && <p className={styles.hidden}>{t('movesHidden', { count: hidden })}</p>}
        </div>
      </SidePanel>
    </div>
  )
}

function Legend() {
  const { t } = useTranslation('versions')
  return (
    <ul className={styles.legend} aria-label={t('legend')}>
      {(['added', 'changed', 'removed', 'moved'] as const).map((tone) => (
        <li key={tone} data-tone={tone}>
          {t(`tones.${tone}`)}
        </li>
      ))}
    </ul>
  )
}
