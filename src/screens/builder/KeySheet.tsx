import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { actionSections, useActionList } from '../../canvas/actionRegistry'
import { useEditor } from '../../canvas/context'
import { keyCaps } from '../../canvas/keyboard/chord'
import { fold } from '../../ui/finder/match'
import { KeyHint } from '../../ui/KeyHint'
import { Modal } from '../../ui/Modal'
import { TextField } from '../../ui/TextField'
import styles from './KeySheet.module.css'

/** The keys of the text editor, which are not actions of the builder: src/text/TextSurface.tsx. */
const writing = {
  bold: 'mod+b',
  italic: 'mod+i',
  underline: 'mod+u',
  link: 'mod+k',
  numbered: 'mod+shift+7',
  bullets: 'mod+shift+8',
  indent: 'Tab',
  variable: '{',
  leave: 'Escape',
} as const

/** Gestures in addition to the keys of actions. */
const gestures = {
  tab: ['Tab'],
  arrows: ['ArrowLeft', 'ArrowUp', 'ArrowRight', 'ArrowDown'],
  escape: ['Escape'],
  pan: ['Space'],
  add: ['Shift'],
  wheel: ['mod'],
} as const

interface Line {
  key: string
  title: string
  /** alternatives */
  chords: readonly (readonly string[])[]
}

/** All keys by purpose. */
export function KeySheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('builder')
  const [search, setSearch] = useState('')
  const { readOnly } = useEditor()
  const actions = useActionList().filter(({ writes }) => !(writes && readOnly))
  const wanted = fold(search.trim())
  const sections = [
    ...actionSections.map((section) => ({
      id: section as string,
      title: t(`sections.${section}`),
      lines: actions
        .filter((action) => action.section === section && action.keys?.length)
        .map(
          (action): Line => ({
            key: action.id,
            title: t(`actions.${action.id}`),
            chords: (action.keys ?? []).map((chord) => keyCaps(chord)),
          }),
        ),
    })),
    {
      id: 'writing',
      title: t('sections.writing'),
      lines: readOnly
        ? []
        : Object.entries(writing).map(
            ([key, chord]): Line => ({ key, title: t(`writing.${key}`), chords: [keyCaps(chord)] }),
          ),
    },
    {
      id: 'gestures',
      title: t('sections.gestures'),
      lines: Object.entries(gestures).map(
        ([key, chords]): Line => ({
          key,
          title: t(`gestures.${key}`),
          chords: [chords.flatMap((chord) => keyCaps(chord))],
        }),
      ),
    },
  ]
  const found = sections
    .map((section) => ({
      ...section,
      lines: section.lines.filter(({ title, chords }) =>
        fold(`${title} ${chords.map((caps) => caps.join('+')).join(' ')}`).includes(wanted),
      ),
    }))
    .filter(({ lines }) => lines.length > 0)
  return (
    <Modal opened onClose={onClose} title={t('sheet.title')} size={860} transitionProps={{ duration: 0 }}>
      <TextField
        data-autofocus
        type="search"
        aria-label={t('sheet.search')}
        placeholder={t('sheet.search')}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      <div className={styles.sheet}>
        {found.map(({ id, title, lines }) => (
          <section key={id} className={styles.section} aria-labelledby={`keys-${id}`}>
            <h3 id={`keys-${id}`}>{title}</h3>
            <dl>
              {lines.map(({ key, title: name, chords }) => (
                <div key={key} className={styles.line}>
                  <dt>{name}</dt>
                  <dd>
                    {chords.map((caps) => (
                      <KeyHint key={caps.join('+')} keys={caps} />
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      {found.length === 0 && <p className={styles.none}>{t('sheet.none', { search })}</p>}
    </Modal>
  )
}
