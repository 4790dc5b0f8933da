import { Braces } from 'lucide-react'
import { type FocusEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../ui/IconButton'
import { CharacterCount } from './CharacterCount'
import type { CardField } from './cardField'
import { FLOATING } from './FloatingPanel'
import { type TextSession, TextSurface, type Toolbar } from './TextSurface'
import styles from './text.module.css'

export interface ChipFieldProps {
  /** the accessible name */
  label: string
  placeholder?: string
  toolbar?: Toolbar
  singleLine: boolean
  length: number
  max: number
  readOnly: boolean
  error?: string
  describedBy?: string
  /** shown while it is not being edited; null if it is empty */
  view: ReactNode
  /** creates the editor on focus; null if there is nothing to edit */
  session: ((onCut: OnCut) => TextSession) | null
  /** changes when another text is edited: the editor is created again (undo restored a deleted text) */
  sessionKey?: string | number
  autoFocus?: boolean
  /** it is on a card of the canvas */
  card?: CardField | undefined
}

/** Called with the number of pasted and kept characters if a paste was cut. */
export type OnCut = (cut: { pasted: number; kept: number }) => void

interface Waking {
  session: TextSession
  key: string | number | undefined
  point?: { x: number; y: number }
  pick?: boolean
}

/** A text with chips: plain markup, and an editor while it has the focus. */
export function ChipField(props: ChipFieldProps) {
  const { t } = useTranslation('text')
  const box = useRef<HTMLDivElement>(null)
  const [awake, setAwake] = useState<Waking | null>(null)
  const [cut, setCut] = useState<Parameters<OnCut>[0] | null>(null)
  const editable = !props.readOnly && props.session !== null
  const wake = (how: Pick<Waking, 'point' | 'pick'>) => {
    if (editable && props.session) setAwake({ ...how, session: props.session(setCut), key: props.sessionKey })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as it appears
  useLayoutEffect(() => {
    if (props.autoFocus || props.card) wake({ ...(props.card?.at && { point: props.card.at }) })
  }, [])
  if (awake && (!editable || awake.key !== props.sessionKey)) setAwake(null)

  const onBlur = (event: FocusEvent) => {
    const next = event.relatedTarget
    if (next instanceof Element && (box.current?.contains(next) || next.closest(`[${FLOATING}]`))) return
    // the window lost the focus, not the field, which gets it back
    if (next === null && !document.hasFocus()) return
    if (next === null && document.activeElement !== document.body && box.current?.contains(document.activeElement))
      return
    setAwake(null)
    setCut(null)
    props.card?.onLeave()
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only watches where the focus of what is inside goes
    <div
      ref={box}
      className={styles.field}
      data-single-line={props.singleLine || undefined}
      data-awake={awake !== null || undefined}
      data-error={props.error !== undefined || undefined}
      data-read-only={props.readOnly || undefined}
      data-card={props.card !== undefined || undefined}
      onBlur={onBlur}
    >
      {awake ? (
        <TextSurface
          session={awake.session}
          label={props.label}
          placeholder={props.placeholder}
          toolbar={props.toolbar}
          singleLine={props.singleLine}
          length={props.length}
          max={props.max}
          describedBy={props.describedBy}
          invalid={props.error !== undefined}
          point={awake.point}
          pick={awake.pick}
          card={props.card}
        />
      ) : (
        <>
          {/* biome-ignore lint/a11y/useSemanticElements: a text with chips is no input's value */}
          <div
            className={styles.text}
            data-single-line={props.singleLine || undefined}
            role="textbox"
            tabIndex={0}
            aria-label={props.label}
            aria-multiline={!props.singleLine}
            aria-readonly={props.readOnly || undefined}
            aria-invalid={props.error !== undefined || undefined}
            aria-describedby={props.describedBy}
            onFocus={() => wake({})}
            onMouseDown={(event) => {
              if (event.button !== 0 || !editable) return
              event.preventDefault()
              wake({ point: { x: event.clientX, y: event.clientY } })
            }}
          >
            {props.view ?? (
              <div className={styles.placeholder}>
                {(props.readOnly ? t('form.notSet') : props.placeholder) || '\u00a0'}
              </div>
            )}
          </div>
          {editable && (
            <div className={styles.bar}>
              <IconButton
                size="s"
                label={t('insertVariable')}
                icon={<Braces size={14} />}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => wake({ pick: true })}
              />
              <CharacterCount length={props.length} max={props.max} />
            </div>
          )}
        </>
      )}
      <div className={styles.cut} role="status">
        {cut &&
          t(cut.kept > 0 ? 'paste.cut' : 'paste.full', {
            pasted: cut.pasted,
            lost: cut.pasted - cut.kept,
            max: props.max,
          })}
      </div>
    </div>
  )
}
