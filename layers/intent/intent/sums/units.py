"""Units of measure: what they are called, and how many of one make another."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit. ``factor`` is its size in the dimension's base unit, ``offset`` its zero there."""

    name: str
    dimension: str
    factor: Fraction
    plural: str
    symbol: str = ""
    offset: Fraction = Fraction(0)


_TABLE = """
second time 1 seconds s | s sec secs seconds
minute time 60 minutes min | min mins minutes
hour time 3600 hours h | h hr hrs hours
day time 86400 days d | days
week time 604800 weeks w | weeks wk wks
month time 2628000 months mo | months
year time 31536000 years y | years yr yrs
millimetre length 0.001 mm mm | mm millimetres millimeter millimeters
centimetre length 0.01 cm cm | cm centimetres centimeter centimeters
metre length 1 metres m | m metres meter meters
kilometre length 1000 km km | km kms kilometres kilometer kilometers
inch length 0.0254 inches in | inches inch
foot length 0.3048 feet ft | ft feet foot
yard length 0.9144 yards yd | yd yds yards
mile length 1609.344 miles mi | mi miles
gram mass 0.001 grams g | g gr grams gramme grammes
kilogram mass 1 kg kg | kg kgs kilo kilos kilograms
tonne mass 1000 tonnes t | t tonnes ton tons
ounce mass 0.028349523125 ounces oz | oz ounces
pound mass 0.45359237 pounds lb | lb lbs pounds
stone mass 6.35029318 stone st | stones
millilitre volume 0.001 ml ml | ml millilitres milliliter milliliters
litre volume 1 litres l | l litres liter liters ltr ltrs
cubic_metre volume 1000 m³ m³ | cubic_metres cubic_meter cubic_meters m3 m³ cbm
gallon volume 4.54609 gallons gal | gallons gal
pint volume 0.56826125 pints pt | pints
square_metre area 1 m² m² | square_metres square_meter square_meters sq_m sqm m2 m²
square_foot area 0.09290304 sq_ft sq_ft | sq_ft sqft square_feet
acre area 4046.8564224 acres acres | acres
hectare area 10000 hectares ha | ha hectares
celsius temperature 1 °C °C | celsius c centigrade
"""
FAHRENHEIT = Unit("fahrenheit", "temperature", Fraction(5, 9), "°F", "°F", Fraction(-160, 9))


@cache
def _units() -> dict[str, Unit]:
    units = {"fahrenheit": FAHRENHEIT, "f": FAHRENHEIT}
    for line in _TABLE.strip().splitlines():
        facts, _, spellings = line.partition("|")
        name, dimension, factor, plural, symbol = facts.split()
        unit = Unit(name, dimension, Fraction(factor), plural.replace("_", " "), symbol.replace("_", " "))
        units |= {spelling.replace("_", " "): unit for spelling in (name, *spellings.split())}
    return units


def unit_named(words: str) -> Unit | None:
    """Return the unit with this name, abbreviation or plural; None for other words."""
    return _units().get(words)


def convert(value: Fraction, source: Unit, target: Unit) -> Fraction:
    """Return a value of one unit in another of the same dimension."""
    return (value * source.factor + source.offset - target.offset) / target.factor
