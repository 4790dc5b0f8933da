import { useTranslation } from 'react-i18next'
import { launcherIcons, lookCaps } from '../../../../server/contracts/web/look'
import { ImageField } from '../../../chatbots/ImageField'
import { Segmented } from '../../../ui/Segmented'
import { Slider } from '../../../ui/Slider'
import { Switch } from '../../../ui/Switch'
import { TextArea } from '../../../ui/TextArea'
import { TextField } from '../../../ui/TextField'
import css from '../editor.module.css'
import type { GroupProps } from '../groupProps'
import { LauncherIcon } from '../LauncherIcon'

/** What opens the chat on a site: its picture, words and place. */
export function LauncherGroup({ draft: { look, errors, change }, readOnly, pgid }: GroupProps) {
  const { t } = useTranslation('appearance')
  const { launcher } = look
  const set = <Key extends keyof typeof launcher>(key: Key, value: (typeof launcher)[Key]) =>
    change(`launcher.${key}`, (next) => {
      next.launcher[key] = value
    })
  return (
    <>
      <fieldset className={css.icons} disabled={readOnly}>
        <legend className={css.label}>{t('launcher.icon')}</legend>
        {launcherIcons.map((icon) => (
          <label key={icon} title={t(`launcher.icons.${icon}`)}>
            <input
              type="radio"
              name="launcher-icon"
              aria-label={t(`launcher.icons.${icon}`)}
              checked={launcher.icon === icon}
              onChange={() => set('icon', icon)}
            />
            <LauncherIcon icon={icon} image="" size={20} />
          </label>
        ))}
      </fieldset>
      {launcher.icon === 'image' && (
        <ImageField
          pgid={pgid}
          label={t('launcher.image')}
          value={launcher.image}
          error={errors['launcher.image']}
          readOnly={readOnly}
          onChange={(value) => set('image', value)}
        />
      )}
      <TextField
        label={t('launcher.text')}
        description={t('launcher.textAbout')}
        value={launcher.text}
        maxLength={lookCaps.launcherText}
        error={errors['launcher.text']}
        readOnly={readOnly}
        onChange={(event) => set('text', event.currentTarget.value)}
      />
      <TextArea
        label={t('launcher.hovering')}
        description={t('launcher.hoveringAbout')}
        value={launcher.hovering}
        maxLength={lookCaps.hovering}
        error={errors['launcher.hovering']}
        readOnly={readOnly}
        onChange={(event) => set('hovering', event.currentTarget.value)}
      />
      <div className={css.stack}>
        <span className={css.label}>{t('launcher.position')}</span>
        <Segmented
          label={t('launcher.position')}
          value={launcher.position}
          options={(['left', 'right'] as const).map((value) => ({ value, label: t(`launcher.${value}`) }))}
          onChange={(value) => !readOnly && set('position', value)}
        />
      </div>
      {(
        [
          ['size', 40, 80],
          ['offset_x', 0, 200],
          ['offset_y', 0, 200],
        ] as const
      ).map(([key, min, max]) => (
        <Slider
          key={key}
          label={t(`launcher.${key}`)}
          value={launcher[key]}
          min={min}
          max={max}
          step={key === 'size' ? 2 : 4}
          shown={`${launcher[key]} px`}
          readOnly={readOnly}
          onChange={(value) => set(key, value)}
        />
      ))}
      <Switch
        label={t('launcher.mobile')}
        description={t('launcher.mobileAbout')}
        checked={launcher.on_mobile}
        disabled={readOnly}
        onChange={(event) => set('on_mobile', event.currentTarget.checked)}
      />
    </>
  )
}
