import { Check, Ellipsis, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Languages } from '../../../engine/translations/translation'
import { findLanguage, languageName, widgetLanguages } from '../../../engine/values/languages'
import { Button } from '../../ui/Button'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { IconButton } from '../../ui/IconButton'
import { Menu, MenuEntry } from '../../ui/Menu'
import { Popover } from '../../ui/Popover'
import { Select } from '../../ui/Select'
import { TextField } from '../../ui/TextField'
import styles from './languageBar.module.css'
import { countStates, type ListedText } from './useTexts'

interface BarProps {
  languages: Languages
  texts: readonly ListedText[]
  shown: readonly string[]
  readOnly: boolean
  onToggle: (code: string) => void
  onAdd: (code: string) => void
  onChange: (languages: Languages) => void
}

/** What the chatbot speaks: how far each language is, which of them stand in the table. */
export function LanguageBar({ languages, texts, shown, readOnly, onToggle, onAdd, onChange }: BarProps) {
  const { t } = useTranslation('translations')
  const [removing, setRemoving] = useState<string | null>(null)
  const { main, others } = languages
  const count = removing === null ? 0 : texts.length - countStates(texts, removing).missing
  return (
    <div className={styles.bar}>
      <Select
        className={styles.main}
        aria-label={t('main')}
        title={t('mainHint')}
        data={widgetLanguages.map(({ code, name }) => ({ value: code, label: name, disabled: others.includes(code) }))}
        value={main}
        disabled={readOnly}
        allowDeselect={false}
        onChange={(code) => code && onChange({ main: code, others })}
      />
      <ul className={styles.list} aria-label={t('languages')}>
        {others.map((code) => (
          <Language
            key={code}
            code={code}
            texts={texts}
            shown={shown.includes(code)}
            onToggle={() => onToggle(code)}
            onRemove={readOnly ? null : () => setRemoving(code)}
          />
        ))}
      </ul>
      {!readOnly && <AddLanguage languages={languages} onAdd={onAdd} />}
      <ConfirmDialog
        opened={removing !== null}
        danger
        title={t('removeTitle', { language: languageName(removing ?? '') })}
        message={t(count === 0 ? 'removeEmpty' : 'removeMessage', {
          count,
          language: languageName(removing ?? ''),
        })}
        confirm={t('remove')}
        onConfirm={() => {
          onChange({ main, others: others.filter((code) => code !== removing) })
          setRemoving(null)
        }}
        onClose={() => setRemoving(null)}
      />
    </div>
  )
}

interface LanguageProps {
  code: string
  texts: readonly ListedText[]
  shown: boolean
  onToggle: () => void
  onRemove: (() => void) | null
}

function Language({ code, texts, shown, onToggle, onRemove }: LanguageProps) {
  const { t } = useTranslation('translations')
  const { done, machine } = countStates(texts, code)
  const language = languageName(code)
  const words = { language, done: done + machine, count: texts.length }
  const share = texts.length === 0 ? 1 : (done + machine) / texts.length
  return (
    <li className={styles.language} data-shown={shown || undefined}>
      <button
        type="button"
        className={styles.toggle}
        aria-pressed={shown}
        aria-label={`${t('show', { language })}. ${t('progressOf', words)}`}
        title={t('progressOf', words)}
        onClick={onToggle}
      >
        <span className={styles.own} lang={code}>
          {findLanguage(code)?.own ?? code}
        </span>
        <span className={styles.count}>{share === 1 ? <Check size={13} aria-hidden /> : t('progress', words)}</span>
        <span className={styles.track} aria-hidden>
          <span style={{ inlineSize: `${share * 100}%` }} />
        </span>
      </button>
      {onRemove && (
        <Menu position="bottom-end">
          <Menu.Target>
            <IconButton
              size="s"
              label={t('languageMenu', { language })}
              icon={<Ellipsis size={14} />}
              tooltip={false}
            />
          </Menu.Target>
          <Menu.Dropdown>
            <MenuEntry danger leftSection={<Trash2 size={15} />} onClick={onRemove}>
              {t('remove')}
            </MenuEntry>
          </Menu.Dropdown>
        </Menu>
      )}
    </li>
  )
}

interface AddProps {
  languages: Languages
  onAdd: (code: string) => void
  design?: 'primary' | 'ghost'
}

/** Chooses one of the languages that are not there yet, by its name or what its speakers call it. */
export function AddLanguage({ languages: { main, others }, onAdd, design = 'ghost' }: AddProps) {
  const { t } = useTranslation('translations')
  const [opened, setOpened] = useState(false)
  const [search, setSearch] = useState('')
  const sought = search.trim().toLowerCase()
  const found = widgetLanguages.filter(
    ({ code, name, own }) =>
      code !== main &&
      !others.includes(code) &&
      [code, name.toLowerCase(), own.toLowerCase()].some((word) => word.includes(sought)),
  )
  const add = (code: string) => {
    onAdd(code)
    setOpened(false)
    setSearch('')
  }
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" width={280} shadow="lg" trapFocus returnFocus>
      <Popover.Target>
        <Button design={design} icon={<Plus size={14} />} aria-expanded={opened} onClick={() => setOpened(!opened)}>
          {t('addLanguage')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('addLanguage')}>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            if (found[0]) add(found[0].code)
          }}
        >
          <TextField
            aria-label={t('searchLanguage')}
            placeholder={t('searchLanguage')}
            value={search}
            data-autofocus
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
        </form>
        <ul className={styles.choices} aria-label={t('languages')}>
          {found.map(({ code, name, own }) => (
            <li key={code}>
              <button type="button" onClick={() => add(code)}>
                <span>{name}</span>
                <span className={styles.muted} lang={code}>
                  {own}
                </span>
              </button>
            </li>
          ))}
          {found.length === 0 && <li className={styles.none}>{t('noLanguage')}</li>}
        </ul>
      </Popover.Dropdown>
    </Popover>
  )
}
