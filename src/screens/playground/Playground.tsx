import { Columns2, Copy, Ellipsis, RotateCcw, Zap } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Composer } from '../../answers/Composer'
import { OverridesFields } from '../../answers/OverridesFields'
import { type Overrides, useAsking } from '../../answers/useAsking'
import { useCan } from '../../api/account'
import { ActSwitch } from '../../testEffects/ActSwitch'
import { Button } from '../../ui/Button'
import { IconButton } from '../../ui/IconButton'
import { Menu, MenuEntry } from '../../ui/Menu'
import { notify } from '../../ui/notify'
import { PageTitle } from '../../ui/PageTitle'
import { Segmented } from '../../ui/Segmented'
import { Lane } from './Lane'
import styles from './playground.module.css'
import { transcriptOf } from './transcript'

interface PlaygroundProps {
  pgid: string
  cgid: string
  name: string
}

/** One conversation, or two with different settings and the same questions. */
export function Playground({ pgid, cgid, name }: PlaygroundProps) {
  const { t } = useTranslation('playground')
  const { t: answers } = useTranslation('answers')
  const { t: effects } = useTranslation('testEffects')
  const noAnswer = answers('noAnswer')
  // initially off: changes outside need permission in each conversation
  const [acts, setActs] = useState(false)
  const a = useAsking(pgid, cgid, noAnswer, acts)
  const b = useAsking(pgid, cgid, noAnswer, acts)
  const [settings, setSettings] = useState<{ a: Overrides; b: Overrides }>({ a: {}, b: {} })
  const [two, setTwo] = useState(false)
  const [shown, setShown] = useState<'a' | 'b'>('a')
  const mayAct = useCan('builder.update')
  // without the right to choose a model there is nothing to compare
  const mayCompare = useCan('ai.view')
  const input = useRef<HTMLTextAreaElement>(null)
  const lanes = two ? [['a', a] as const, ['b', b] as const] : [['a', a] as const]
  const begun = a.exchanges.length > 0

  const ask = (question: string) => {
    for (const [key, lane] of lanes) lane.ask(question, settings[key])
  }
  const compare = () => {
    if (two) b.restart()
    else b.takeOver(a.exchanges)
    setShown('a')
    setTwo(!two)
    input.current?.focus()
  }
  const restart = () => {
    for (const [, lane] of lanes) lane.restart()
    setActs(false)
    input.current?.focus()
  }
  const copy = () =>
    navigator.clipboard.writeText(lanes.map(([, lane]) => transcriptOf(lane.exchanges, t)).join('\n\n---\n\n')).then(
      () => notify.success(t('copied')),
      () => notify.error(t('copyFailed')),
    )
  const writing = lanes.some(([, lane]) => lane.writing)
  return (
    <div className={styles.screen}>
      <PageTitle>{t('title')}</PageTitle>
      <header className={styles.header}>
        <h1 className={styles.title}>{t('title')}</h1>
        <span className={styles.name}>{name}</span>
        <span className={styles.space} />
        {!two && (
          <span className={styles.settings}>
            <OverridesFields
              pgid={pgid}
              cgid={cgid}
              value={settings.a}
              onChange={(value) => setSettings({ ...settings, a: value })}
            />
          </span>
        )}
        <span className={styles.wide}>
          <ActSwitch on={acts} onChange={setActs} />
        </span>
        {mayCompare && (
          <Button size="s" className={styles.wide} icon={<Columns2 />} aria-pressed={two} onClick={compare}>
            {t('compare')}
          </Button>
        )}
        <IconButton
          className={styles.wide}
          size="s"
          label={t('copy')}
          icon={<Copy size={15} />}
          disabled={!begun}
          onClick={copy}
        />
        <IconButton
          className={styles.wide}
          size="s"
          label={t('restart')}
          icon={<RotateCcw size={15} />}
          disabled={!begun}
          onClick={restart}
        />
        <Menu position="bottom-end">
          <Menu.Target>
            <IconButton
              className={styles.small}
              size="s"
              label={t('more')}
              icon={<Ellipsis size={16} />}
              tooltip={false}
            />
          </Menu.Target>
          <Menu.Dropdown>
            {mayCompare && (
              <MenuEntry leftSection={<Columns2 size={15} />} onClick={compare}>
                {two ? t('compareEnd') : t('compare')}
              </MenuEntry>
            )}
            {mayAct && (
              <MenuEntry leftSection={<Zap size={15} />} onClick={() => setActs(!acts)}>
                {acts ? effects('off') : effects('switch')}
              </MenuEntry>
            )}
            <MenuEntry leftSection={<Copy size={15} />} disabled={!begun} onClick={() => void copy()}>
              {t('copy')}
            </MenuEntry>
            <MenuEntry leftSection={<RotateCcw size={15} />} disabled={!begun} onClick={restart}>
              {t('restart')}
            </MenuEntry>
          </Menu.Dropdown>
        </Menu>
      </header>
      {acts && (
        <p className={styles.acting} role="status">
          {effects('on')}
        </p>
      )}
      {two && (
        <Segmented
          className={styles.switch}
          label={t('shownLane')}
          value={shown}
          options={(['a', 'b'] as const).map((key) => ({ value: key, label: t(`lane.${key}`) }))}
          onChange={setShown}
        />
      )}
      <div className={styles.lanes} data-two={two || undefined}>
        {lanes.map(([key, lane]) => (
          <Lane
            key={key}
            pgid={pgid}
            cgid={cgid}
            letter={two ? key : null}
            hidden={two && shown !== key}
            asking={lane}
            settings={settings[key]}
            onSettings={(value) => setSettings({ ...settings, [key]: value })}
            onAsk={ask}
          />
        ))}
      </div>
      <Composer
        inputRef={input}
        placeholder={two ? t('placeholderTwo') : t('placeholder')}
        writing={writing}
        onAsk={ask}
        onStop={() => {
          for (const [, lane] of lanes) lane.stop()
        }}
      />
    </div>
  )
}
