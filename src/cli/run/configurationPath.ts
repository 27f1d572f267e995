/** Where a configuration is looked for when no flag names one. */
export const CONFIGURATION_FILE = 'plumbline.config.json'
