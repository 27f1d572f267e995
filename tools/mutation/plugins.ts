import { declareClassPlugin, declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin'
import { silentPlaces } from './ignore.ts'
import { Journal } from './journal.ts'
import { SuiteRunner } from './runner.ts'

/** The plugins that Stryker loads. */
export const strykerPlugins = [
  declareClassPlugin(PluginKind.TestRunner, 'suite', SuiteRunner),
  declareClassPlugin(PluginKind.Reporter, 'journal', Journal),
  declareValuePlugin(PluginKind.Ignore, 'silent-places', silentPlaces),
]
